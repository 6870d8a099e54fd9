/*
 * An end label on a skip and on an assignment.
 *
 * states: 4 transitions: 3
 * faults: invalid-end-state
 */
byte x;
active proctype P() { x = 1; end1: skip; end2: x = 2; x == 3 }
