/*
 * An escape after an escape.
 *
 * refused
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { y == 1; x = 8 } unless { y == 2; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 2 }
