/*
 * A loop by goto within the main sequence.
 *
 * states: 32 transitions: 48
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; l: x++; if :: x < 3 -> goto l :: else fi } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
