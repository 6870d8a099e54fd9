/*
 * Macros that paste names together.
 *
 * states: 3 transitions: 2
 * faults: none
 */
#define CAT(a, b) a ## b
byte x1 = 3;
active proctype P() { assert(CAT(x, 1) == 3) }
