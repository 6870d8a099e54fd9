/*
 * timeout when the others are held by their provided clauses.
 *
 * states: 7 transitions: 7
 * faults: none
 */
byte x;
active proctype P() provided (x == 1) { skip }
active proctype Q() { timeout -> x = 1 }
