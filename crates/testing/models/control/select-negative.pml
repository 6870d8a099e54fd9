/*
 * select over negative numbers.
 *
 * states: 20 transitions: 19
 * faults: none
 */
short x;
active proctype P() { select (x : -2 .. 1); assert(x > -3) }
