/*
 * A loop at the beginning of an option in a d_step.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { d_step { x++; if :: do :: x < 5 -> x++ :: else -> break od :: x < 4 -> x = 7 fi; x++ } }
active proctype Q() { x = 4 }
