/*
 * Parameters are truncated to their types.
 *
 * states: 8 transitions: 7
 * faults: none
 */
proctype Q(byte a; bit b; short c; unsigned d : 3) { assert(a == 1); assert(b == 1); assert(c == -1); assert(d == 1) }
init { run Q(257, 3, 65535, 9) }
