/*
 * A provided clause that becomes false inside atomic.
 *
 * states: 7 transitions: 7
 * faults: none
 */
byte x;
active proctype P() provided (x < 2) { atomic { x = 1; x = 2; x = 3 } }
active proctype Q() { x == 2; x = 0 }
