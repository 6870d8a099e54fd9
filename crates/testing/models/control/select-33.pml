/*
 * select over 33 numbers.
 *
 * states: 36 transitions: 67
 * faults: none
 */
byte x;
active proctype P() { select (x : 1 .. 33) ; x = 0 }
