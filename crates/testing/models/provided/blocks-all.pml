/*
 * If no process may move, the end state is judged as usual.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
byte x;
active proctype P() provided (x == 1) { skip }
