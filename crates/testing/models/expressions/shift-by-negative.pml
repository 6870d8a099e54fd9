/*
 * A shift by the length of an int.
 *
 * states: 4 transitions: 3
 * faults: none
 */
int a = 1, n = 32;
active proctype P() { a = a << n; skip }
