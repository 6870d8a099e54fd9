/*
 * _priority can be assigned.
 *
 * states: 31 transitions: 37
 * faults: none
 */
byte x;
active proctype P() { x = 1; _priority = 6; x = 2; x = 3 }
active proctype Q() { x = 7; x = 8 }
