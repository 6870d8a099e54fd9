/*
 * break in the middle of an atomic sequence.
 *
 * states: 16 transitions: 20
 * faults: none
 */
byte x;
active proctype P() { do :: atomic { x++; if :: x > 2 -> break :: else fi; x++ } od; x = 5 }
active proctype Q() { x = 9 }
