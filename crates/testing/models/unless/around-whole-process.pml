/*
 * An escape around all that a process does: its end is not part of it.
 *
 * states: 17 transitions: 21
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { y == 1; x = 9 } }
active proctype Q() { y = 1 }
