/*
 * A loop of else.
 *
 * states: 2 transitions: 2
 * faults: none
 */
byte x;
active proctype P() { x = 1; do :: else od }
