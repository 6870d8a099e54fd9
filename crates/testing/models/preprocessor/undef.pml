/*
 * A macro can be forgotten and defined again.
 *
 * states: 3 transitions: 2
 * faults: none
 */
#define A 1
byte x = A;
#undef A
#define A 2
byte y = A;
active proctype P() { assert(x == 1 && y == 2) }
