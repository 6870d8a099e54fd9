/*
 * timeout in a message: its value in the move that sends.
 *
 * states: 8 transitions: 7
 * faults: assertion@8
 */
chan c = [2] of { byte }; byte x;
active proctype P() { d_step { timeout; c!timeout + 3 }; c!!timeout + 1; c?x; assert(x == 4); c?x; assert(x == 9) }
