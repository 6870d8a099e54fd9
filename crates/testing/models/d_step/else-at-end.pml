/*
 * A d_step that ends in an else without a statement.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; if :: x == 2 -> x = 3 :: else fi }; x = 9 }
active proctype Q() { x = 5 }
