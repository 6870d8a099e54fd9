/*
 * else beside a buffered send and a rendezvous send.
 *
 * states: 15 transitions: 15
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; chan d = [1] of { byte }; byte x;
active proctype P() { do :: c!1 -> break :: d!1 :: else -> x = 2; break od }
active proctype Q() { x = 3; c?_ }
