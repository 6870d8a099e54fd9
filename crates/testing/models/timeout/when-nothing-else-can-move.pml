/*
 * timeout is executable when nothing else in the system is.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() { timeout; x = 1 }
active proctype Q() { x == 1; x = 2 }
