/*
 * A part of the main sequence has an escape of its own.
 *
 * states: 46 transitions: 72
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; { x = 2; x = 3 } unless { y == 1; x = 8 }; x = 4 } unless { y == 2; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 2 }
