/*
 * A choice with an else inside a choice in a d_step.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { d_step { x++; if :: if :: x == 5 -> x = 2 :: else -> x = 4 fi :: x < 4 -> x = 7 fi; x++ } }
active proctype Q() { x = 4 }
