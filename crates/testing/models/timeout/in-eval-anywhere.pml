/*
 * timeout in the pattern of a receive from anywhere.
 *
 * states: 8 transitions: 8
 * faults: invalid-end-state
 */
chan c = [3] of { byte, byte }; byte x;
active proctype A() { c!0,5; c!1,6; c??eval(timeout + timeout - timeout),x; assert(x == 5) }
active proctype B() { x == 5; c??eval(timeout),x; c??[eval(timeout),x] }
