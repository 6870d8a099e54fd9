/*
 * skip before a goto in an option.
 *
 * states: 31 transitions: 50
 * faults: none
 */
byte x;
active proctype P() { l: if :: x < 2 -> x++; skip; goto l :: skip; goto m :: else -> skip fi; x = 8; m: x = 9 }
active proctype Q() { x = 1 }
