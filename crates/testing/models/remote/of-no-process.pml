/*
 * A remote reference to a process that does not exist.
 *
 * states: 12 transitions: 13
 * faults: invalid-end-state
 */
byte g;
proctype P() { here: skip }
init { assert(!P@here); run P(); P@here -> g = 1 }
