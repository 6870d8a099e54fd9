/*
 * A channel sent over a rendezvous channel.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [0] of { chan }; byte x;
active proctype P() { chan d = [0] of { byte }; c!d; d!4 }
active proctype Q() { chan e; c?e; e?x; assert(x == 4) }
