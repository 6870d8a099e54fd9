/*
 * Two variables for one channel.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan a = [1] of { byte }; chan b; byte x;
active proctype P() { b = a; b!4; a?x; assert(x == 4 && empty(b)) }
