/*
 * A structure that is declared after the first statement.
 *
 * states: 7 transitions: 6
 * faults: assertion@8
 */
typedef T { byte a = 3; byte b }; byte g;
active proctype P() { g = 1; T t; t.b = t.a; assert(t.b == 3); assert(t.b == 0) }
