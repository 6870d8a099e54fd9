/*
 * A d_step that begins with timeout.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() { d_step { timeout; x = 5; x = 6 } }
active proctype Q() { x = 1; x == 6; x = 7 }
