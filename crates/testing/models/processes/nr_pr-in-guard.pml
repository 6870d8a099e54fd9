/*
 * Waiting for the end of all others.
 *
 * states: 17 transitions: 22
 * faults: none
 */
byte x;
proctype Q() { x++; x++ }
init { atomic { run Q(); run Q() }; _nr_pr == 1; assert(x == 4) }
