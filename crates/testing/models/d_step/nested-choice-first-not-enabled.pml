/*
 * A choice inside a choice at the beginning of a d_step, when no guard holds.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
byte x;
active proctype P() { d_step { if :: if :: x == 1 -> x = 2 :: x == 2 -> x = 4 fi :: x == 3 -> x = 7 fi; x++ } }
