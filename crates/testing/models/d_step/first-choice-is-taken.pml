/*
 * A choice inside d_step takes the first option that is executable.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; if :: x == 2 -> x = 5 :: x == 1 -> x = 6 :: x = 7 fi; x++ }; assert(x == 7) }
