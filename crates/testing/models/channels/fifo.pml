/*
 * A channel is a queue.
 *
 * states: 18 transitions: 23
 * faults: none
 */
chan c = [3] of { byte }; byte x;
active proctype P() { c!1; c!2; c!3 }
active proctype Q() { c?x; assert(x == 1); c?x; assert(x == 2); c?x; assert(x == 3) }
