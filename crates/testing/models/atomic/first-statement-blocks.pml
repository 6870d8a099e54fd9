/*
 * An atomic sequence is executable if its first statement is.
 *
 * states: 13 transitions: 13
 * faults: none
 */
byte x;
active proctype P() { atomic { x == 1; x = 2 } }
active proctype Q() { x = 1; x = 0; x = 1 }
