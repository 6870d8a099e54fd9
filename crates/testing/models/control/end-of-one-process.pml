/*
 * A state is valid when every process is at its end or at an end label.
 *
 * states: 3 transitions: 2
 * faults: invalid-end-state
 */
byte x;
active proctype P() { x == 1 }
active proctype Q() { skip }
