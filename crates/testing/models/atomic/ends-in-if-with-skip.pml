/*
 * An atomic sequence that ends in skip.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x++; if :: x == 5 -> skip :: else -> skip fi }; x = 6 }
active proctype Q() { x = 4 }
