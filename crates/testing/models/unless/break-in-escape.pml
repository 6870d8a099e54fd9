/*
 * break in the escape leaves the loop around.
 *
 * states: 32 transitions: 48
 * faults: none
 */
byte x, y;
active proctype P() { do :: { x < 3; x++ } unless { y == 1; break } od; x = 10 }
active proctype Q() { y = 1 }
