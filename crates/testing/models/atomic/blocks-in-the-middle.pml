/*
 * Where an atomic sequence blocks, control is lost, and regained when the process can go on.
 *
 * states: 13 transitions: 13
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; y == 1; x = 2; x = 3 } }
active proctype Q() { x == 1; y = 1; x = 7 }
