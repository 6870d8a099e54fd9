/*
 * A timeout that is not needed.
 *
 * states: 9 transitions: 8
 * faults: none
 */
byte x;
active proctype P() { do :: x < 3 -> x++ :: timeout -> break od }
