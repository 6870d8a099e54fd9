/*
 * The arguments of an inline are put in as they are written.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x = 1, y;
inline set(a, b) { a = b; a++ }
active proctype P() { set(x, y + 4); assert(x == 5); set(y, x); assert(y == 6) }
