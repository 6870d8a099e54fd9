/*
 * len() is a number.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [3] of { byte };
active proctype P() {
	c!1; c!2;
	assert(len(c) * 2 + 1 == 5);
	assert((len(c) -> 1 : 0) == 1)
}
