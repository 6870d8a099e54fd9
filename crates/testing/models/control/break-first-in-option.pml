/*
 * break as the only statement of an option is a step.
 *
 * states: 25 transitions: 40
 * faults: none
 */
byte x;
active proctype P() { do :: x < 2 -> x++ :: break od; x = 5 }
active proctype Q() { x = 1 }
