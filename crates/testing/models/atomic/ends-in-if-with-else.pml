/*
 * An atomic sequence that ends in an else without a statement.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x++; if :: x == 5 -> x = 3 :: else fi }; x = 6 }
active proctype Q() { x = 4 }
