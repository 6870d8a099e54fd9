/*
 * enabled() of a process that does not exist is false.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype Q() { assert(enabled(1) == 0); x = 1 }
