/*
 * pc_value(p) is a number of the place where p is: equal only where p stands still.
 *
 * states: 40 transitions: 51
 * faults: none
 */
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { byte a; a = pc_value(0); if :: a == pc_value(0) -> x = 5 :: else -> x = 6 fi }
