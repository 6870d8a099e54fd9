/*
 * An if blocks until one of its guards holds.
 *
 * states: 20 transitions: 22
 * faults: none
 */
byte x;
active proctype P() { if :: x == 2 -> x = 5 :: x == 3 -> x = 6 fi }
active proctype Q() { x = 1; x = 2; x = 3 }
