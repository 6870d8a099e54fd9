/*
 * Parameters can be assigned to.
 *
 * states: 7 transitions: 6
 * faults: none
 */
proctype Q(byte a, b) { a++; b = a; assert(b == 4) }
init { run Q(3, 0) }
