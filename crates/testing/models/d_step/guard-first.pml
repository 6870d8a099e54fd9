/*
 * A condition as the first statement is the guard of the whole.
 *
 * states: 13 transitions: 13
 * faults: none
 */
byte x;
active proctype P() { d_step { x == 1; x = 2; x = 3 } }
active proctype Q() { x = 1; x = 0; x = 1 }
