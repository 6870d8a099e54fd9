/*
 * An if of which no option is ever executable is an invalid end state.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
byte x;
active proctype P() { if :: x == 2 :: x == 3 fi }
