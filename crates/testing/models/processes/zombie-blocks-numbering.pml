/*
 * A finished process that waits still has its number.
 *
 * states: 19 transitions: 23
 * faults: none
 */
byte x;
proctype Z() { skip }
proctype W() { x == 1 }
init { run Z(); run W(); x = 1; _nr_pr == 1; x = 2 }
