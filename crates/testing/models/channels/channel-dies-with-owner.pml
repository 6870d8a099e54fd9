/*
 * A local channel is gone when its process ends.
 *
 * states: any
 * faults: run-time-error@9
 */
chan g = [1] of { chan }; byte x;
proctype Q() { chan d = [1] of { byte }; g!d }
init { chan e; run Q(); g?e; _nr_pr == 1; e!3 }
