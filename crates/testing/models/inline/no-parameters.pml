/*
 * An inline without parameters.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
inline f() { x++ }
active proctype P() { f(); f(); assert(x == 2) }
