/*
 * Sorted send and random receive on a rendezvous channel.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!!1 }
active proctype Q() { c??x; assert(x == 1) }
