/*
 * The end state is invalid when the parent is stuck although the child has ended.
 *
 * states: 4 transitions: 3
 * faults: invalid-end-state
 */
byte x;
proctype Q() { skip }
init { run Q(); x == 1 }
