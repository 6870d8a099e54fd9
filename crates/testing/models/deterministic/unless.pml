/*
 * The guards of one escape are a choice, the escape itself is none.
 *
 * states: 6 transitions: 5
 * faults: run-time-error@8
 */
byte x;
active D_proctype P() { { x = 2; x = 3 } unless { if :: x == 0 :: x < 3 -> x = 1 fi } }
