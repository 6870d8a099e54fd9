/*
 * A d_step alone with an escape.
 *
 * states: 34 transitions: 53
 * faults: none
 */
byte x, y;
active proctype P() { { d_step { x == 1; x = 2; x = 3 } } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
active proctype R() { x = 1 }
