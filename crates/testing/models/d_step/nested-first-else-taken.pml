/*
 * A d_step that begins with a choice with else after an option that begins with a choice: no guard holds, but else does.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x = 9;
active proctype P() { d_step { if :: x == 3 -> x = 7 :: else -> x = 8 fi; x++ }; assert(x == 9) }
