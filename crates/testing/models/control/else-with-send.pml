/*
 * else beside a send to a full channel.
 *
 * states: 18 transitions: 22
 * faults: none
 */
chan c = [1] of { byte }; byte x;
active proctype P() {
	do :: c!1 :: else -> break od;
	x = 1
}
active proctype Q() { c?x }
