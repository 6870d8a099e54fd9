/*
 * select with variable bounds and an empty range: the variable has the lower bound.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x, n = 1;
active proctype P() { select (x : 4 .. n); assert(x == 4) }
