/*
 * The end state is invalid when a child is stuck although the parent has finished.
 *
 * states: 2 transitions: 1
 * faults: invalid-end-state
 */
byte x;
proctype Q() { x == 1 }
init { run Q() }
