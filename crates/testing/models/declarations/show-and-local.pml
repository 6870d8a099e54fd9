/*
 * The words show and local change nothing.
 *
 * states: 6 transitions: 5
 * faults: none
 */
show byte a = 1;
local byte b = 2;
active proctype P() { a = b; show byte c = 1; a = a + c; assert(a == 3) }
