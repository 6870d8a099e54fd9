/*
 * An option that is a d_step that begins with else.
 *
 * states: 23 transitions: 32
 * faults: none
 */
byte x;
active proctype P() { do :: x < 2 -> x++ :: d_step { else -> x = 5; x = 6 }; break od; x = 7 }
active proctype Q() { x = 1 }
