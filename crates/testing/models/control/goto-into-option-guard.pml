/*
 * A goto into a nested loop's head.
 *
 * states: 40 transitions: 57
 * faults: invalid-end-state
 */
byte x;
active proctype P() { if :: x == 0 -> x = 3; goto h :: x == 1 fi; do :: x == 1 -> h: do :: x > 1 -> x-- :: x == 1 -> break od; x = 0 :: x == 0 -> break od }
active proctype Q() { x = 1 }
