/*
 * An escape that is a goto.
 *
 * states: 7 transitions: 8
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { goto out }; x = 3; out: x = 10 }
active proctype Q() { y = 1 }
