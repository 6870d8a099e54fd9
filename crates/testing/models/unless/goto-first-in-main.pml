/*
 * A main sequence that begins with a goto.
 *
 * states: 14 transitions: 19
 * faults: none
 */
byte x, y;
active proctype P() { { goto l; x = 3; l: x = 4 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
