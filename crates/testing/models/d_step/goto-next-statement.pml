/*
 * A goto to the statement after a d_step.
 *
 * refused
 */
byte x;
active proctype P() { d_step { x = 1; if :: x == 1 -> goto next :: else fi; x = 4 }; next: x = 3 }
active proctype Q() { x = 9 }
