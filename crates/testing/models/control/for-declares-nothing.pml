/*
 * The variable of for is an ordinary variable, also a global one or an element of an array.
 *
 * states: 61 transitions: 80
 * faults: none
 */
byte i; byte s;
active proctype P() { for (i : 1 .. 2) { s++ } }
active proctype Q() { i = 7 }
