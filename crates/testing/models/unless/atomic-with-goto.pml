/*
 * An atomic sequence with an escape that ends in a goto.
 *
 * states: 29 transitions: 43
 * faults: none
 */
byte x, y;
active proctype P() { l: skip; { atomic { x < 2; x++; goto l } } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
