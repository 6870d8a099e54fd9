/*
 * An inline that calls another.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
inline inc(a) { a++ }
inline inc2(a) { inc(a); inc(a) }
active proctype P() { inc2(x); inc2(x); assert(x == 4) }
