/*
 * timeout and priorities.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() priority 3 { timeout; x = 1 }
active proctype Q() { x = 2; x = 3 }
