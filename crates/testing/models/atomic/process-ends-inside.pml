/*
 * The end of a process that is at the end of an atomic sequence is a step of its own.
 *
 * states: 11 transitions: 12
 * faults: none
 */
byte x;
proctype Q() { atomic { x++; x++ } }
init { atomic { run Q(); run Q() }; _nr_pr == 1; assert(x == 4) }
