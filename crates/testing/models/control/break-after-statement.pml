/*
 * break after a statement is not a step of its own.
 *
 * states: 22 transitions: 29
 * faults: none
 */
byte x;
active proctype P() { do :: x < 2 -> x++; break :: x == 4 -> x = 3; break od; x = 5 }
active proctype Q() { x = 4 }
