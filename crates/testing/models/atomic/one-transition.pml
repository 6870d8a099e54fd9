/*
 * What is inside atomic is one transition; the states in between are not stored.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; x = 2; x = 3 } x = 4 }
active proctype Q() { x = 9 }
