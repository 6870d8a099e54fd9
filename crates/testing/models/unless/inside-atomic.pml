/*
 * A sequence with an escape inside atomic.
 *
 * states: 15 transitions: 21
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; { x = 2; y == 3; x = 4 } unless { y == 1; x = 8 }; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 3 }
