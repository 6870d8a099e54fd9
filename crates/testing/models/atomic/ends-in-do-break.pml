/*
 * break is the last step of the atomic sequence.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; do :: x < 3 -> x++ :: else -> x = 7; break od }; x = 5 }
active proctype Q() { x = 9 }
