/*
 * A choice with a label and an escape.
 *
 * refused
 */
byte x, y;
active proctype P() { l: if :: x < 3 -> x++; goto l :: x == 3 -> x = 4 fi unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
