/*
 * enabled() asks with the timeout of the one that asks.
 *
 * states: 6 transitions: 5
 * faults: assertion@8
 */
byte x;
active proctype P() { enabled(1); x = 1; assert(x == 0) }
active proctype Q() provided (x == 1) { timeout; x = 2 }
