/*
 * break in the main sequence leaves the loop around.
 *
 * states: 44 transitions: 63
 * faults: none
 */
byte x, y;
active proctype P() { do :: { x++; if :: x > 1 -> break :: else fi } unless { y == 1; y = 0 } od; x = 10 }
active proctype Q() { y = 1 }
