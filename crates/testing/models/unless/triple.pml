/*
 * Three levels of escapes.
 *
 * states: 13 transitions: 18
 * faults: none
 */
byte x, y;
active proctype P() { { { { x = 1; x = 2 } unless { y == 1; x = 7 } } unless { y >= 1; x = 8 } } unless { y >= 0; x = 9 } }
active proctype Q() { y = 1; y = 2 }
