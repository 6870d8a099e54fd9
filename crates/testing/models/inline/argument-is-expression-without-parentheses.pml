/*
 * An argument is put in without parentheses.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
inline f(e) { x = 2 * e }
active proctype P() { f(1 + 3); assert(x == 5) }
