/*
 * Two processes that both lost control inside atomic.
 *
 * states: 16 transitions: 22
 * faults: none
 */
byte x, y;
active [2] proctype P() { atomic { x++; y == 1; x++; x++ } }
active proctype Q() { x == 2; y = 1 }
