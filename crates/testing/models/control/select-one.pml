/*
 * select with a range of one number.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { select (x : 2 .. 2); assert(x == 2) }
