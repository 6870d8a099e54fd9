/*
 * A d_step with an escape: it cannot be interrupted inside.
 *
 * states: 18 transitions: 26
 * faults: none
 */
byte x, y;
active proctype P() { { d_step { x = 1; y = 1; x = 3 }; x = 5 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
