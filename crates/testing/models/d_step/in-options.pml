/*
 * Options that begin with d_step.
 *
 * states: 17 transitions: 22
 * faults: none
 */
byte x;
active proctype P() { do :: d_step { x < 2 -> x++ } :: d_step { x == 2 -> x = 3 } :: x == 3 -> break od }
active proctype Q() { x = 1 }
