/*
 * A D_proctype with two statements that can be taken.
 *
 * states: 5 transitions: 4
 * faults: run-time-error@8
 */
byte x;
active D_proctype P() { if :: x = 1 :: x = 2 fi }
