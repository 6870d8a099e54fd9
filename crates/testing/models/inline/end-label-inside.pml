/*
 * An end label inside an inline.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
inline wait(n) { x = n; end: x == 9 }
active proctype P() { wait(2) }
