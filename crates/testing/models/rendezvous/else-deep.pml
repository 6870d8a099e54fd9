/*
 * else beside a rendezvous send after a long run.
 *
 * states: 14 transitions: 13
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { x = 1; x = 2; do :: x > 5 -> break :: x < 5 -> if :: c!1 -> x++ :: else -> x = x + 2 fi od }
active proctype Q() { do :: c?_ :: x > 4 -> break od }
