/*
 * A goto from one atomic sequence to the beginning of another.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; x == 1 -> goto in }; x = 2; in: atomic { x = 4; x = 5 }; x = 6 }
active proctype Q() { x = 9 }
