/*
 * Numbers of local channels are used again.
 *
 * states: 17 transitions: 19
 * faults: none
 */
chan g = [2] of { chan }; byte n;
proctype Q() { chan d = [1] of { byte }; d!1; g!d }
init { chan e, f; run Q(); g?e; _nr_pr == 1; run Q(); g?f; assert(e == f) }
