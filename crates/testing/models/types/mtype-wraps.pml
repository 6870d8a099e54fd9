/*
 * A variable of an mtype is a byte.
 *
 * states: 4 transitions: 3
 * faults: none
 */
mtype = { a };
mtype m;
active proctype P() {
	m = 257;
	assert(m == a)
}
