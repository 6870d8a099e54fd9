/*
 * An escape that has an escape itself.
 *
 * states: 37 transitions: 57
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { { y == 1; x = 8; x = 9 } unless { y == 2; x = 7 } }; x = 10 }
active proctype Q() { y = 1; y = 2 }
