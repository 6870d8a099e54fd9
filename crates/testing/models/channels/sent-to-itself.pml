/*
 * A channel that is sent over itself.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan a = [1] of { chan, byte }; chan b; byte x;
active proctype P() { a!a,3; a?b,x; b!b,4; a?b,x; assert(x == 4) }
