/*
 * An atomic sequence with a label and an escape.
 *
 * states: 14 transitions: 19
 * faults: none
 */
byte x, y;
active proctype P() { l: atomic { x = 1; x = 2; x = 3 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
