/*
 * else beside a receive from an empty channel.
 *
 * states: 13 transitions: 15
 * faults: none
 */
chan c = [1] of { byte }; byte x;
active proctype P() {
	if :: c?x :: else -> x = 9 fi
}
active proctype Q() { c!1 }
