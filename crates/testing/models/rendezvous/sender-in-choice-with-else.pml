/*
 * else beside a rendezvous send.
 *
 * states: 12 transitions: 12
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { if :: c!1 -> x = 1 :: else -> x = 2 fi }
active proctype Q() { x = 5; c?_ }
