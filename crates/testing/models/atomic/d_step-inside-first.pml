/*
 * A d_step at the beginning of atomic.
 *
 * states: 8 transitions: 9
 * faults: none
 */
byte x;
active proctype P() { atomic { d_step { x == 9; x = 3 }; x = 4 }; x = 5 }
active proctype Q() { x = 9 }
