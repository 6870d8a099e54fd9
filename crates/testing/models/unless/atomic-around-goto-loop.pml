/*
 * A loop by goto inside an atomic sequence with an escape.
 *
 * states: 12 transitions: 13
 * faults: none
 */
byte x, y;
active proctype P() { { atomic { x = 0; l: x++; if :: x < 3 -> goto l :: else fi; x = 7 } } unless { y == 1; x = 9 } }
active proctype Q() { y = 1 }
