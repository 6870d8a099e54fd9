/*
 * What stands behind a d_step counts.
 *
 * states: 5 transitions: 4
 * faults: run-time-error@8
 */
byte x;
active D_proctype P() { if :: d_step { x = 2; x = 3 } :: x = 1 fi }
