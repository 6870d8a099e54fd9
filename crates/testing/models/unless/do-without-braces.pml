/*
 * A loop with an escape, without braces around it.
 *
 * states: 38 transitions: 58
 * faults: none
 */
byte x, y;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
