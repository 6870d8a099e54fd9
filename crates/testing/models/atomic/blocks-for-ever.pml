/*
 * An atomic sequence that blocks for ever is an invalid end state.
 *
 * states: 5 transitions: 4
 * faults: invalid-end-state
 */
byte x;
active proctype P() { atomic { x = 1; x == 2; x = 3 } }
active proctype Q() { x == 1; skip }
