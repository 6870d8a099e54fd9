/*
 * Statements before the return are steps.
 *
 * states: 28 transitions: 43
 * faults: none
 */
byte x, y;
inline next(n) { y = n; y++; return y }
active proctype P() { x = next(3); assert(x == 4); x = next(x); assert(x == 5) }
active proctype Q() { skip }
