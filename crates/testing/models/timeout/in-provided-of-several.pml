/*
 * Where one provided clause waits for timeout, the others come first.
 *
 * states: 8 transitions: 7
 * faults: assertion@8
 */
byte x;
active proctype P() provided (timeout) { x = 1; assert(x == 0) }
active proctype Q() { x = 2; x == 1; x = 3 }
