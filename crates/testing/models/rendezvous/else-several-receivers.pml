/*
 * else beside a rendezvous send with several receivers, the last of which does not match.
 *
 * states: 5 transitions: 4
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active [2] proctype Q() { c?eval(_pid) }
active proctype P() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
