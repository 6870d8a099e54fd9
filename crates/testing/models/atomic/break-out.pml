/*
 * break from an atomic sequence inside a loop.
 *
 * states: 18 transitions: 24
 * faults: none
 */
byte x;
active proctype P() { do :: atomic { x < 3 -> x++ } :: atomic { x >= 3 -> x = 7; break } od; x = 5 }
active proctype Q() { x = 9 }
