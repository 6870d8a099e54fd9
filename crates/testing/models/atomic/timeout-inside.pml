/*
 * A timeout inside an atomic sequence that is blocked.
 *
 * states: 5 transitions: 4
 * faults: invalid-end-state
 */
byte x, y;
active proctype P() { atomic { x = 1; timeout; x = 2; x = 3 } }
active proctype Q() { x == 1; y = 1; x == 2; y = 2 }
