/*
 * What follows a loop without end is never reached.
 *
 * states: 2 transitions: 2
 * faults: none
 */
byte x;
active proctype P() { do :: x = 1 - x od; assert(false) }
