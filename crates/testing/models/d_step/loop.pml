/*
 * A loop inside d_step.
 *
 * states: 10 transitions: 13
 * faults: none
 */
byte x, s;
active proctype P() { d_step { do :: x < 4 -> x++; s = s + x :: else -> break od; x = 0 }; assert(s == 10) }
active proctype Q() { skip }
