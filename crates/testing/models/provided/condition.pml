/*
 * A process moves only while its provided clause holds.
 *
 * states: 24 transitions: 30
 * faults: none
 */
byte x;
active proctype P() provided (x < 2) { x = 1; x = 1; x = 1 }
active proctype Q() { x = 2; x = 0 }
