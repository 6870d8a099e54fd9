/*
 * timeout as a value.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x = 5;
active proctype P() { x = timeout; x = x + 2 }
