/*
 * An atomic sequence with labels and goto at its end.
 *
 * states: 23 transitions: 28
 * faults: none
 */
byte x;
active proctype P() { do :: atomic { x < 2; x++; goto l }; l: x++ :: x >= 2 -> break od }
active proctype Q() { x = 1 }
