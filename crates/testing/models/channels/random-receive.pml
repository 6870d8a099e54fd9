/*
 * A random receive takes the first message that matches.
 *
 * states: 12 transitions: 11
 * faults: none
 */
chan c = [3] of { byte, byte }; byte x;
active proctype P() { c!1,5; c!2,6; c!2,7; c??2,x; assert(x == 6); c??2,x; assert(x == 7); c??1,x; assert(x == 5); assert(empty(c)) }
