/*
 * for and select inside an inline.
 *
 * states: 22 transitions: 21
 * faults: none
 */
byte x, i;
inline f(n) { for (i : 1 .. n) { x = x + i } }
active proctype P() { f(2); f(3); assert(x == 9) }
