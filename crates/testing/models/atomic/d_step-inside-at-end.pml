/*
 * A d_step at the end of atomic.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 } }; x = 5 }
active proctype Q() { x = 9 }
