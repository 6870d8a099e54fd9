/*
 * select over 34 numbers counts upward step by step.
 *
 * states: 104 transitions: 136
 * faults: none
 */
byte x;
active proctype P() { select (x : 1 .. 34) ; x = 0 }
