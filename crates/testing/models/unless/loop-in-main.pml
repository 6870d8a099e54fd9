/*
 * A loop as the main sequence.
 *
 * states: 37 transitions: 57
 * faults: none
 */
byte x, y;
active proctype P() { { do :: x < 3 -> x++ :: x == 3 -> x = 0 od } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
