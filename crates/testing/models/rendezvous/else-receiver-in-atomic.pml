/*
 * else beside a rendezvous send whose receiver is in atomic.
 *
 * states: 6 transitions: 6
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
active proctype Q() { atomic { c?_; x = 4; x = 5 } }
