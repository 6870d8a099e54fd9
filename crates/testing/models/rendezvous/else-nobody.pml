/*
 * else beside a rendezvous send that nobody wants is taken.
 *
 * states: 14 transitions: 16
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { x = 3; x = 4; if :: c!0 -> x = 1 :: else -> x = 2 fi }
active proctype Q() { x = 7; end: c?1 }
