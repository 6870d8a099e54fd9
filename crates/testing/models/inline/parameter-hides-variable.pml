/*
 * A parameter hides a variable of the same name.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x = 1, y = 2;
inline f(x) { x = 5 }
active proctype P() { f(y); assert(x == 1 && y == 5) }
