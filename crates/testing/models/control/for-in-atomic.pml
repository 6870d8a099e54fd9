/*
 * for inside atomic.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte s;
active proctype P() { byte i; atomic { for (i : 1 .. 2) { s++ } } s = 9 }
active proctype Q() { s = 5 }
