/*
 * A goto that begins an option in a d_step.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x = 2;
active proctype P() { d_step { x++; if :: x == 9 -> x = 1 :: goto l fi; x = 4; l: x++ }; assert(x == 4) }
