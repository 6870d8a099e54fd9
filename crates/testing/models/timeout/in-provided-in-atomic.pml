/*
 * A provided clause that waits for timeout is asked again after each move of an atomic sequence.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() provided (timeout) { atomic { x = 1; x = 2 } }
active proctype Q() { x == 1; x = 5 }
