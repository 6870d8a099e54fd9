/*
 * All options of the last choice in atomic jump.
 *
 * states: 19 transitions: 25
 * faults: none
 */
byte x;
active proctype P() { l: atomic { x++; if :: x < 3 -> goto l :: x >= 3 -> goto m fi }; m: x = 9 }
active proctype Q() { x = 1 }
