/*
 * While the escape of an inner sequence runs, the outer escape is still watching.
 *
 * states: 35 transitions: 47
 * faults: none
 */
byte x, y;
active proctype P() { { { x = 1; x = 2 } unless { y == 1; x = 7; x = 8 } } unless { y == 2; x = 9 } }
active proctype Q() { y = 1; y = 2 }
