/*
 * A d_step inside a d_step changes nothing.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; d_step { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype Q() { x = 9 }
