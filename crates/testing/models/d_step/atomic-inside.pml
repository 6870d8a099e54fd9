/*
 * An atomic sequence inside a d_step.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype Q() { x = 9 }
