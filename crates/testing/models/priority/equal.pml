/*
 * Processes of equal priority interleave.
 *
 * states: 17 transitions: 21
 * faults: none
 */
byte x;
active proctype P() priority 2 { x = 1; x = 2 }
active proctype R() priority 2 { x = 3; x = 4 }
active proctype Q() { x = 5 }
