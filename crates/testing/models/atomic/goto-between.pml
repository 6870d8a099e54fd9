/*
 * A goto from one atomic sequence into another keeps control.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; goto in }; x = 2; atomic { x = 3; in: x = 4; x = 5 }; x = 6 }
active proctype Q() { x = 9 }
