/*
 * In the middle of a d_step: the last option is a choice that blocks.
 *
 * states: 3 transitions: 2
 * faults: none
 */
byte x = 2;
active proctype P() { d_step { x++; if :: x == 3 -> x = 7 :: if :: x == 1 -> x = 2 :: x == 2 -> x = 4 fi fi; x++ } }
