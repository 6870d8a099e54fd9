/*
 * timeout in several processes: each may go on.
 *
 * states: 16 transitions: 16
 * faults: none
 */
byte x;
active [2] proctype P() { timeout; x++ }
active proctype Q() { x = 5; x == 6 }
