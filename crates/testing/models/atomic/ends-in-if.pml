/*
 * An atomic sequence that ends in a choice.
 *
 * states: 21 transitions: 34
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; if :: x = 2 :: x = 3; x = 4 :: x == 1 fi }; x = 5 }
active proctype Q() { x = 9 }
