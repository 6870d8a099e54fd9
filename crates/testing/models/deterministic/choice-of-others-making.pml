/*
 * A choice that there is only after another process has moved.
 *
 * states: 14 transitions: 19
 * faults: invalid-end-state, run-time-error@8
 */
byte x;
active D_proctype P() { do :: x == 0 -> x = 1 :: x > 1 -> break :: x == 2 -> x = 1 od }
active proctype Q() { x = 2 }
