/*
 * A choice inside the last option of a choice at the beginning of a d_step.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte x = 1;
active proctype P() { d_step { if :: x == 3 -> x = 7 :: if :: x == 1 -> x = 2 :: x == 2 -> x = 4 fi fi; x++ } }
active proctype Q() { x = 2 }
