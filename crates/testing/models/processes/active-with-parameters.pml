/*
 * Parameters of active processes are zero.
 *
 * states: 7 transitions: 8
 * faults: none
 */
active [2] proctype P(byte a; short b) { assert(a == 0 && b == 0) }
