/*
 * A d_step that begins with a choice.
 *
 * states: 10 transitions: 10
 * faults: invalid-end-state
 */
byte x;
active proctype P() { d_step { if :: x == 1 -> x = 5 :: x == 0 -> x = 6 :: x < 9 -> x = 7 fi; x++ } }
active proctype Q() { x = 1; x = 9 }
