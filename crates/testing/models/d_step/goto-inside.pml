/*
 * A goto inside a d_step.
 *
 * states: 10 transitions: 13
 * faults: none
 */
byte x;
active proctype P() { d_step { x = 1; again: x++; if :: x < 4 -> goto again :: else fi; x = 7 }; assert(x == 7) }
active proctype Q() { skip }
