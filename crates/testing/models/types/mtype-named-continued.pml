/*
 * A named mtype can be continued.
 *
 * states: 6 transitions: 5
 * faults: none
 */
mtype:f = { a, b };
mtype:g = { x };
mtype:f = { c };
active proctype P() {
	assert(a == 2);
	assert(b == 1);
	assert(c == 3);
	assert(x == 1)
}
