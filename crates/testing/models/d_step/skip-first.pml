/*
 * A d_step that begins with skip.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { skip; x = 1; skip }; x = 2 }
active proctype Q() { x = 9 }
