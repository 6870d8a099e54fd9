/*
 * An escape that is atomic.
 *
 * states: 15 transitions: 21
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { atomic { y == 1; x = 8; x = 9 } }; x = 10 }
active proctype Q() { y = 1 }
