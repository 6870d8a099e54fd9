/*
 * A label in front of atomic.
 *
 * states: 19 transitions: 28
 * faults: none
 */
byte x;
active proctype P() { goto l; x = 1; l: atomic { x = 2; x = 3 }; if :: x == 3 -> x = 4; goto l :: x == 9 fi }
active proctype Q() { x = 9 }
