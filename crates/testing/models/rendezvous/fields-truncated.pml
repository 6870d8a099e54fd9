/*
 * The fields of a rendezvous message are truncated to the channel's types.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { bit, byte, short }; int a, b, d;
active proctype P() { c!3,257,65537 }
active proctype Q() { c?a,b,d; assert(a == 1 && b == 1 && d == 1) }
