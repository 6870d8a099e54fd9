/*
 * timeout inside a larger condition.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte x;
active proctype P() { if :: timeout && x == 0 -> x = 1 :: x == 5 -> x = 2 fi }
active proctype Q() { x == 1 }
