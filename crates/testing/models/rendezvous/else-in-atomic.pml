/*
 * else beside a rendezvous send inside atomic.
 *
 * states: 9 transitions: 9
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { atomic { x = 3; if :: c!1 -> x = 1 :: else -> x = 2 fi; x++ } }
active proctype Q() { x = 4; c?_ }
