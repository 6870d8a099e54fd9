/*
 * An array of channels: each element is a channel of its own.
 *
 * states: 8 transitions: 7
 * faults: none
 */
chan c[3] = [1] of { byte };
active proctype P() {
	byte x;
	c[0]!1; c[2]!3;
	assert(empty(c[1]));
	c[2]?x; assert(x == 3);
	assert(len(c[0]) == 1)
}
