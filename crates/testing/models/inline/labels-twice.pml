/*
 * A label inside an inline that is called twice.
 *
 * states: 17 transitions: 16
 * faults: none
 */
byte x;
inline count(n) { x = 0; again: if :: x < n -> x++; goto again :: else fi }
active proctype P() { count(2); count(3); assert(x == 3) }
