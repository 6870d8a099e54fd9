/*
 * A D_proctype that is created.
 *
 * states: 35 transitions: 50
 * faults: run-time-error@8
 */
byte x;
D_proctype P(byte p) { if :: p == 0 -> x = 1 :: p < 2 -> x = 2 fi }
init { run P(1); run P(0) }
