/*
 * A choice inside atomic.
 *
 * states: 5 transitions: 4
 * faults: run-time-error@8
 */
byte x;
active D_proctype P() { atomic { skip; if :: x = 1 :: x = 2 fi } }
