/*
 * A d_step that ends in a loop.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; do :: x < 4 -> x++ :: else -> break od }; x = 9 }
active proctype Q() { x = 5 }
