/*
 * A sequence with an escape inside d_step.
 *
 * states: 10 transitions: 13
 * faults: none
 */
byte x, y;
active proctype P() { d_step { x = 1; { x = 2; x = 4 } unless { x == 2; x = 8 }; x++ }; x = 10 }
active proctype Q() { y = 1 }
