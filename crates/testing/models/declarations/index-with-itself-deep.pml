/*
 * An array indexed with itself inside a larger expression.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte a[3];
active proctype P() { a[a[0] + 1] = 2; assert(a[1] == 2) }
