/*
 * Channels can be sent in messages.
 *
 * states: 8 transitions: 7
 * faults: none
 */
chan c = [1] of { chan, byte }; chan d = [1] of { byte }; byte x;
active proctype P() { c!d,2 }
active proctype Q() { chan e; c?e,x; e!x; d?x; assert(x == 2) }
