/*
 * Choices inside choices, all at their ends.
 *
 * states: 24 transitions: 39
 * faults: none
 */
byte x;
active proctype P() { if :: x == 0 -> if :: x = 1 :: if :: x = 2 :: x = 3 fi fi :: x == 1 -> skip fi; x = 9 }
active proctype Q() { x = 1 }
