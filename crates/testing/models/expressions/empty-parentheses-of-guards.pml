/*
 * A guard in parentheses and one without are the same.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte x;
active proctype P() { (x == 0); x == 0; ((x == 0)); x = 1 }
