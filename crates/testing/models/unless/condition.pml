/*
 * The escape is taken as soon as its condition holds, at every statement of the main sequence.
 *
 * states: 24 transitions: 35
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2; x = 3 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
