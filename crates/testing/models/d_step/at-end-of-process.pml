/*
 * A d_step as the last statement of a process.
 *
 * states: 7 transitions: 8
 * faults: none
 */
byte x;
active proctype P() { d_step { x++; x++ } }
active proctype Q() { d_step { x++; x++ } }
