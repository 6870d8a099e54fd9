/*
 * A goto into an atomic sequence.
 *
 * states: 25 transitions: 37
 * faults: none
 */
byte x;
active proctype P() { if :: x = 7; goto in :: x = 6 fi; atomic { x = 1; x = 2; in: x = 3; x = 4 }; x = 5 }
active proctype Q() { x = 9 }
