/*
 * A loop around a sequence with an escape.
 *
 * states: 65 transitions: 96
 * faults: none
 */
byte x, y;
active proctype P() { do :: x < 3 -> { x++; x++ } unless { y == 1; y = 0 } :: x >= 3 -> break od; x = 10 }
active proctype Q() { y = 1 }
