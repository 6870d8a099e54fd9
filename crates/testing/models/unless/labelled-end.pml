/*
 * An end label in front of statements with escapes.
 *
 * states: 3 transitions: 2
 * faults: none
 */
byte x, y;
active proctype P() { end: atomic { x == 1; x = 2 } unless { y == 2; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
