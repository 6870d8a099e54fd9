/*
 * All options of a choice jump.
 *
 * states: 28 transitions: 40
 * faults: none
 */
byte x;
active proctype P() { l: x++; if :: x < 3 -> goto l :: x >= 3 -> goto m fi; m: x = 9 }
active proctype Q() { x = 1 }
