/*
 * A parameter can be used as the name of a structure.
 *
 * states: 5 transitions: 4
 * faults: none
 */
typedef T { byte x; byte y };
T t;
inline f(s) { s.x = 3; s.y = s.x + 1 }
active proctype P() { f(t); assert(t.y == 4) }
