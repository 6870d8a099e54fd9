/*
 * The escape of a sequence that is blocked.
 *
 * states: 12 transitions: 15
 * faults: none
 */
byte x, y;
active proctype P() { { x == 5; x = 6 } unless { y == 1 -> x = 9; x = 8 }; x = 10 }
active proctype Q() { y = 1 }
