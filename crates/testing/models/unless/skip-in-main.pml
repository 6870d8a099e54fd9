/*
 * Skips in the main sequence can be escaped from.
 *
 * states: 20 transitions: 29
 * faults: none
 */
byte x, y;
active proctype P() { { skip; skip; x = 4 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
