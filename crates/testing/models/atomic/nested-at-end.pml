/*
 * An inner atomic sequence at the end of the outer one.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; atomic { x = 2; x = 3 } }; x = 5 }
active proctype Q() { x = 9 }
