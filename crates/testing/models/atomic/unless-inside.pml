/*
 * An escape inside atomic.
 *
 * states: 7 transitions: 8
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; { x = 2; x = 3 } unless { y == 1; x = 8 }; x = 4 } }
active proctype Q() { y = 1 }
