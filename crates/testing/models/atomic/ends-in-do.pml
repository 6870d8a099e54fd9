/*
 * An atomic sequence that ends in a loop.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; do :: x < 3 -> x++ :: x == 3 -> break od }; x = 5 }
active proctype Q() { x = 9 }
