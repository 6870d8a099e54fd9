/*
 * A loop in atomic that blocks at its head.
 *
 * states: 12 transitions: 15
 * faults: none
 */
byte x, y;
active proctype P() { atomic { do :: x < y -> x++ :: x == 2 -> break od }; x = 9 }
active proctype Q() { y = 1; y = 2 }
