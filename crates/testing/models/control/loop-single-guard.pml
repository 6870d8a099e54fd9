/*
 * A loop with a guard only.
 *
 * states: 3 transitions: 3
 * faults: invalid-end-state
 */
byte x;
active proctype P() { do :: x == 0 od }
active proctype Q() { x = 1 }
