/*
 * A choice inside a choice at the beginning of a d_step, when an inner guard holds.
 *
 * states: 3 transitions: 2
 * faults: none
 */
byte x = 2;
active proctype P() { d_step { if :: if :: x == 1 -> x = 2 :: x == 2 -> x = 4 fi :: x == 3 -> x = 7 fi; x++ } }
