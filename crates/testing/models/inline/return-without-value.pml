/*
 * A call of an inline with return as a statement.
 *
 * refused
 */
byte x;
inline f(n) { x = n; return x + 1 }
active proctype P() { f(2); assert(x == 2) }
