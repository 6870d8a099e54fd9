/*
 * A d_step that ends in a choice.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; if :: x == 1 -> x = 3 :: else fi }; x = 9 }
active proctype Q() { x = 5 }
