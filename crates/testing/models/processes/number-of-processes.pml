/*
 * _nr_pr counts the processes, also those that are finished but not gone.
 *
 * states: 10 transitions: 11
 * faults: assertion@8
 */
proctype Q() { skip }
init { assert(_nr_pr == 1); run Q(); assert(_nr_pr == 2); _nr_pr == 1 }
