/*
 * printf inside a d_step.
 *
 * states: 3 transitions: 2
 * faults: none
 */
byte x;
active proctype P() { d_step { printf("a\n"); x = 1; printf("b\n") } }
