/*
 * Macros inside macros.
 *
 * states: 3 transitions: 2
 * faults: none
 */
#define A B + 1
#define B 2
byte x = A;
active proctype P() { assert(x == 3) }
