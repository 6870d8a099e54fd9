/*
 * Options with atomic inside a main sequence.
 *
 * states: 24 transitions: 35
 * faults: none
 */
byte x, y;
active proctype P() { { do :: atomic { x < 3 -> x++; x++ } :: atomic { x >= 3; break } od } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
