/*
 * An escape that is a condition and a break, from a loop in the main sequence.
 *
 * states: 23 transitions: 35
 * faults: none
 */
byte x, y;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 unless { y == 1 -> break } od; x = 10 }
active proctype Q() { y = 1 }
