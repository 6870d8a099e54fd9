/*
 * A d_step that begins with a choice of one option that is a choice.
 *
 * states: 11 transitions: 11
 * faults: none
 */
byte x;
active proctype P() { d_step { if :: if :: x == 1 -> x = 2 :: x == 2 -> x = 4 fi fi; x++ } }
active proctype Q() { x = 1; x = 2 }
