/*
 * A single statement with a label and an escape.
 *
 * refused
 */
byte x, y;
active proctype P() { l: x++ unless y == 1; if :: x < 3 && y == 0 -> goto l :: else fi; x = 10 }
active proctype Q() { y = 1 }
