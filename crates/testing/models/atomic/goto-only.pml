/*
 * An atomic sequence that ends in a goto out of it.
 *
 * states: 6 transitions: 8
 * faults: invalid-end-state
 */
byte x;
active proctype P() { l: atomic { x < 3 -> x++; goto l }; x = 9 }
active proctype Q() { x = 5 }
