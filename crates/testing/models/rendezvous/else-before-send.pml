/*
 * else before a rendezvous send.
 *
 * states: 12 transitions: 12
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { if :: else -> x = 2 :: c!1 -> x = 1 fi }
active proctype Q() { x = 5; c?_ }
