/*
 * p@l is true while the process is at that label.
 *
 * states: 19 transitions: 22
 * faults: invalid-end-state
 */
byte x;
active proctype P() { x = 1; here: x = 2; x = 3 }
active proctype Q() { P@here; x = 9 }
