/*
 * timeout in an index, written to and read from.
 *
 * states: 8 transitions: 7
 * faults: assertion@8
 */
byte a[2]; byte x;
active proctype P() { a[timeout] = 4; if :: timeout -> x = 1 fi; a[timeout] = 5; d_step { timeout; a[timeout] = 6; x = a[timeout] }; assert(x == 5) }
