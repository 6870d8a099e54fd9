/*
 * A second declaration of symbolic names goes on where the first ended.
 *
 * states: 7 transitions: 6
 * faults: none
 */
mtype = { a, b };
mtype = { c, d, e };
active proctype P() {
	assert(a == 2);
	assert(b == 1);
	assert(c == 5);
	assert(d == 4);
	assert(e == 3)
}
