/*
 * An active proctype can be run, too.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P(byte n) { x = x + n; if :: n == 0 -> run P(3) :: else fi }
