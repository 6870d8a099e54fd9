/*
 * An inline can return a value.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
inline twice(n) { return n * 2 }
active proctype P() { x = twice(3); assert(x == 6) }
