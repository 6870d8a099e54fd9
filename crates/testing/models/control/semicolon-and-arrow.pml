/*
 * Semicolon and arrow are the same.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() { x == 0 -> x = 1 -> x = 2; x == 2 -> x = 3 }
