/*
 * After the main sequence the escape is out of reach.
 *
 * states: 17 transitions: 24
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1 } unless { y == 1; x = 9 }; x = 2; x = 3 }
active proctype Q() { y = 1 }
