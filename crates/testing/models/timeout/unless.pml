/*
 * timeout in the main sequence and in the escape.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() { { timeout; x = 1 } unless { x == 3; x = 4 } }
active proctype Q() { x == 1; x = 3 }
