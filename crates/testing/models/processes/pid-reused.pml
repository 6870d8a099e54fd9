/*
 * Numbers of ended processes are used again.
 *
 * states: 15 transitions: 18
 * faults: none
 */
pid p;
proctype Q() { skip }
init { p = run Q(); assert(p == 1); _nr_pr == 1; p = run Q(); assert(p == 1) }
