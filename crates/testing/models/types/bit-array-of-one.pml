/*
 * An array with one element is an array: its element is a byte.
 *
 * states: 5 transitions: 4
 * faults: assertion@11
 */
bit b[1];
active proctype P() {
	b[0] = 2;
	assert(b[0] == 2);
	assert(b[0] == 0)
}
