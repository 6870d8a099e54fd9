/*
 * goto out of the escape.
 *
 * states: 20 transitions: 29
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { y == 1; goto out }; x = 3; out: x = 10 }
active proctype Q() { y = 1 }
