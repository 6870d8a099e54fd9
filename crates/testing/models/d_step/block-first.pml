/*
 * A d_step that begins with a block.
 *
 * states: 6 transitions: 6
 * faults: none
 */
byte x;
active proctype P() { d_step { { x == 1; x = 2 }; x = 3 } }
active proctype Q() { x = 1 }
