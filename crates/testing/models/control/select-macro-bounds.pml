/*
 * select with bounds that are macros.
 *
 * states: 18 transitions: 23
 * faults: none
 */
#define N 3
byte x;
active proctype P() { select (x : 0 .. N - 1); x = x + N; select (x : 1 .. N) }
