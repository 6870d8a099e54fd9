/*
 * A single statement may have an escape.
 *
 * states: 8 transitions: 9
 * faults: none
 */
byte x, y;
active proctype P() { x == 5 unless y == 1; x = 3 }
active proctype Q() { y = 1 }
