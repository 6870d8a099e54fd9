/*
 * A variable of a process that has ended.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte g;
proctype P(byte n) { n++ }
init { run P(3); _nr_pr == 1; g = P:n; assert(g == 0) }
