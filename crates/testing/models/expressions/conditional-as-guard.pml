/*
 * A conditional expression can be a guard.
 *
 * states: 5 transitions: 4
 * faults: invalid-end-state
 */
byte x;
active proctype P() { (x == 1 -> x : x + 1); x = 2 }
active proctype Q() { (x == 2 -> 1 : 0); x = 3; (x == 3 -> 0 : 1) }
