/*
 * Two d_steps in a row are two transitions.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; x = 2 }; d_step { x = 3; x = 4 } }
active proctype Q() { x = 9 }
