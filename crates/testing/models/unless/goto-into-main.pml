/*
 * goto into the main sequence.
 *
 * states: 19 transitions: 27
 * faults: none
 */
byte x, y;
active proctype P() { goto in; { x = 1; in: x = 2; x = 4 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
