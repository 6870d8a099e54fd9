/*
 * else beside a rendezvous receive.
 *
 * states: 14 transitions: 14
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1; x = 1 }
active proctype Q() { if :: c?_ -> x = 3 :: else -> x = 2 fi }
