/*
 * A loop of a goto that does nothing.
 *
 * states: 3 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { x = 1; do :: x == 1 -> skip od }
