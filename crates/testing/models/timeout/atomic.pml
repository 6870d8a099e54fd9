/*
 * timeout as the first statement of atomic.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte x;
active proctype P() { atomic { timeout; x = 1; x = 2 } }
active proctype Q() { x == 2; x = 3 }
