/*
 * Active processes and init get their numbers in the order of the text.
 *
 * states: 31 transitions: 64
 * faults: none
 */
byte x;
active proctype A() { assert(_pid == 0) }
init { assert(_pid == 1) }
active [2] proctype B() { assert(_pid == 2 || _pid == 3) }
