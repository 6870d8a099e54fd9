/*
 * The escape is a sequence; once begun it goes on to its end.
 *
 * states: 14 transitions: 16
 * faults: none
 */
byte x, y;
active proctype P() { { x == 5; x = 6 } unless { y == 1; y = 0; y == 2; x = 7 }; x = 10 }
active proctype Q() { y = 1; y == 0; y = 2 }
