/*
 * A d_step that begins with a loop.
 *
 * states: 13 transitions: 13
 * faults: invalid-end-state
 */
byte x;
active proctype P() { d_step { do :: x < 4 -> x++ :: x == 4 -> break od }; x = 9 }
active proctype Q() { x = 5 }
