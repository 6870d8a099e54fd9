/*
 * select inside d_step takes the first number.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { d_step { select (x : 1 .. 3); x++ }; assert(x == 2) }
