/*
 * goto out of the main sequence.
 *
 * states: 16 transitions: 22
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; goto out; x = 2 } unless { y == 1; x = 9 }; x = 3; out: x = 10 }
active proctype Q() { y = 1 }
