/*
 * Identical options are two transitions.
 *
 * states: 3 transitions: 4
 * faults: none
 */
byte x;
active proctype P() { if :: x = 1 :: x = 1 :: x = 1 fi }
