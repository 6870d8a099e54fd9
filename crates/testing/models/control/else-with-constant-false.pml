/*
 * else beside options that are never executable.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
active proctype P() {
	if :: false -> x = 1 :: else -> x = 2 fi;
	assert(x == 2)
}
