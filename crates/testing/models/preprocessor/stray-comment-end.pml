/*
 * The end of no comment means nothing.
 *
 * states: 4 transitions: 3
 * faults: none
 */
#define N 3 */
byte x; */
active proctype P() { x = N; /* a comment */ */ x = 1 */ }
