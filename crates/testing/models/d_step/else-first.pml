/*
 * A d_step that begins with a choice with else is always executable.
 *
 * states: 18 transitions: 20
 * faults: none
 */
byte x;
active proctype P() { d_step { if :: x == 2 -> x = 5 :: else -> x = 6 fi }; x++ }
active proctype Q() { x = 2 }
