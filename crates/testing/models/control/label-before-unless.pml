/*
 * A label in front of a sequence with an escape.
 *
 * states: 5 transitions: 5
 * faults: none
 */
byte x;
active proctype P() { x = 1; l: { x == 3 } unless { x == 1; x = 2 }; if :: x == 2 -> x = 1; goto l :: else fi }
