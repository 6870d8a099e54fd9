/*
 * else beside two rendezvous sends.
 *
 * states: 21 transitions: 22
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype P() { if :: c!1 -> x = 1 :: d!1 -> x = 3 :: else -> x = 2 fi }
active proctype Q() { if :: x = 5; c?_ :: x = 6; d?_ fi }
