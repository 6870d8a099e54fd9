/*
 * A channel of a process may be used by another as long as its owner lives.
 *
 * states: 10 transitions: 11
 * faults: none
 */
chan c = [1] of { chan }; byte x;
active proctype P() { chan d = [1] of { byte }; c!d; d?x; assert(x == 5) }
active proctype Q() { chan e; c?e; e!5 }
