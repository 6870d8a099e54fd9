/*
 * A loop with a label and an escape.
 *
 * states: 46 transitions: 71
 * faults: none
 */
byte x, y;
active proctype P() { l: do :: x < 3 -> x++ :: x == 3 -> x = 4; goto l :: x == 4 -> break od unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
