/*
 * run gives the number of the new process.
 *
 * states: 36 transitions: 58
 * faults: none
 */
pid p, q;
proctype Q() { skip }
init { p = run Q(); q = run Q(); assert(p == 1); assert(q == 2 || q == 1) }
