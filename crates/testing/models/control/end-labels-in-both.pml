/*
 * End labels in all options.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { if :: x == 0 -> end1: x == 3 :: x == 0 -> x = 1; end2: x == 4 fi }
