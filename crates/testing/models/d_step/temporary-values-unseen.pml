/*
 * Values that a d_step only passes through are not seen.
 *
 * states: 7 transitions: 8
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 5; x = 0 } }
active proctype Q() { assert(x == 0) }
