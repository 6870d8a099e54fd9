/*
 * A return in a choice.
 *
 * states: 10 transitions: 9
 * faults: none
 */
byte x, z;
inline f(n) { if :: n > 2 -> z = 3 :: else -> z = 1 fi; return z }
active proctype P() { x = f(3); assert(x == 3); x = f(0); assert(x == 1) }
