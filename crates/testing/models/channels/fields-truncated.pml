/*
 * Fields are truncated to the types of the channel when they are sent.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [2] of { bit, byte, short, int }; int a, b, d, e;
active proctype P() { c!3,257,65537,65537; c?a,b,d,e; assert(a == 1 && b == 1 && d == 1 && e == 65537) }
