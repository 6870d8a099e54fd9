/*
 * All options of a choice break.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() { do :: x++; if :: x < 3 -> break :: x >= 3 -> break fi od; x = 9 }
active proctype Q() { x = 1 }
