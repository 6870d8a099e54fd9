/*
 * Symbolic names are numbered from the last to the first, from 1 on.
 *
 * states: 5 transitions: 4
 * faults: none
 */
mtype = { a, b, c };
byte x;
active proctype P() {
	assert(a == 3 && b == 2 && c == 1);
	x = a;
	assert(x == 3)
}
