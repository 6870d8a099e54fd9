/*
 * Arguments of macros are put in as they are written.
 *
 * states: 4 transitions: 3
 * faults: none
 */
#define MUL(a, b) a * b
#define MAX(a, b) ((a) > (b) -> (a) : (b))
active proctype P() { assert(MUL(1 + 2, 3) == 7); assert(MAX(3, 5) == 5) }
