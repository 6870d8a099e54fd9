/*
 * timeout as the escape.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x, y;
active proctype P() { { y == 5; x = 2 } unless { timeout; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 2 }
