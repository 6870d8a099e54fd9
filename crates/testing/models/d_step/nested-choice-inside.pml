/*
 * A choice inside a choice in the middle of a d_step: the outer one looks at the guards of the inner one.
 *
 * states: any
 * faults: run-time-error@8
 */
byte x;
active proctype P() { d_step { x++; if :: if :: x == 5 -> x = 2 :: x == 6 -> x = 4 fi :: x < 4 -> x = 7 fi; x++ } }
active proctype Q() { x = 1; x = 2; x = 3 }
