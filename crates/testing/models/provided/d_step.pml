/*
 * A d_step is not interrupted by a provided clause that becomes false.
 *
 * states: 9 transitions: 12
 * faults: none
 */
byte x;
active proctype P() provided (x == 0) { d_step { x = 1; x = 2; x = 0 }; x = 3 }
active proctype Q() { skip }
