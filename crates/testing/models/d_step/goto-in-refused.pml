/*
 * A goto into a d_step.
 *
 * refused
 */
byte x;
active proctype P() { goto in; d_step { x = 1; in: x = 2 }; x = 3 }
