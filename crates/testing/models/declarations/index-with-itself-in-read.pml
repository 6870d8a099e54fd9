/*
 * An array read with itself as index.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte a[3], x;
active proctype P() { x = a[a[1]]; assert(x == 0) }
