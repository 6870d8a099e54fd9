/*
 * The equals sign of an mtype declaration may be left out.
 *
 * states: 3 transitions: 2
 * faults: none
 */
mtype { a, b };
active proctype P() { assert(a == 2 && b == 1) }
