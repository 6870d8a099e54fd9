/*
 * Options that begin with d_step, and an else.
 *
 * states: 18 transitions: 23
 * faults: none
 */
byte x;
active proctype P() { do :: d_step { x < 2 -> x++; x++ } :: else -> break od; x = 7 }
active proctype Q() { x = 1 }
