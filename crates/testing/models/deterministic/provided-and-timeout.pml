/*
 * A choice at a timeout.
 *
 * states: 7 transitions: 6
 * faults: run-time-error@8
 */
byte x;
active D_proctype P() { if :: timeout -> x = 1 :: timeout && x == 0 -> x = 2 fi }
