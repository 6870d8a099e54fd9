/*
 * Late declarations of small types.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte g;
active proctype P() { g = 1; unsigned u : 2 = 7; bit b = 3; bool c[2] = 2; assert(u == 3 && b == 1 && c[0] == 2) }
