/*
 * A hidden array.
 *
 * states: 4 transitions: 3
 * faults: none
 */
hidden byte h[2]; byte x;
active proctype P() { d_step { h[1] = 3; x = h[1] }; assert(x == 3) }
