/*
 * Control can be lost several times.
 *
 * states: 15 transitions: 15
 * faults: invalid-end-state
 */
byte x, y;
active proctype P() { atomic { y == 1; x++; y == 2; x++; y == 3; x++ } }
active proctype Q() { y = 1; y = 2; y = 3 }
