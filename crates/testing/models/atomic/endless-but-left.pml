/*
 * An atomic sequence with a loop that can be left.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; do :: x < 3 -> x++ :: x > 1 -> break od } }
