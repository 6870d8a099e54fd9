/*
 * else beside a condition on a channel's length.
 *
 * states: 18 transitions: 20
 * faults: none
 */
chan c = [2] of { byte };
active proctype P() { if :: len(c) > 0 -> c?_ :: else -> c!3 fi }
active proctype Q() { c!1 }
