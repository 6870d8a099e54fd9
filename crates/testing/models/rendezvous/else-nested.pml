/*
 * else of a choice whose option begins with a choice with a rendezvous send.
 *
 * states: 18 transitions: 19
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { if :: if :: c!1 -> x = 1 :: x == 9 fi :: else -> x = 2 fi; x++ }
active proctype Q() { x = 4; c?_ }
