/*
 * An atomic sequence that ends in a loop by goto to its own label.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
active proctype P() { l: atomic { x < 2 -> x++; goto l } unless { x == 2 -> x = 3 } }
