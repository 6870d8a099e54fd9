/*
 * else beside a rendezvous send, when the first receiver that is tried does not match.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active [2] proctype Q() { end: c?eval(_pid) }
active proctype P() { if :: c!0 -> x = 1 :: else -> x = 2 fi }
