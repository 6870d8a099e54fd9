/*
 * Somebody else's timeout when an atomic sequence is blocked.
 *
 * states: 8 transitions: 8
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; y == 1; x = 2; x = 3 } }
active proctype Q() { timeout; y = 1 }
