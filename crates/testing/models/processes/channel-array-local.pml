/*
 * Local arrays of channels die with their process.
 *
 * states: 13 transitions: 12
 * faults: none
 */
byte x;
proctype Q() { chan c[2] = [1] of { byte }; c[1]!3; c[1]?x }
init { run Q(); _nr_pr == 1; run Q(); _nr_pr == 1; assert(x == 3) }
