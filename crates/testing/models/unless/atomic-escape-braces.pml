/*
 * Main sequence and escape both atomic, without braces.
 *
 * states: 12 transitions: 16
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; x = 2 } unless atomic { y == 1; x = 8; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
