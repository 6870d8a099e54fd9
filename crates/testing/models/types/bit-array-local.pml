/*
 * The elements of a local array of bits are whole bytes, too.
 *
 * states: 7 transitions: 6
 * faults: none
 */
active proctype P() {
	bit b[3];
	bool c[2] = 3;
	b[0] = 2; assert(b[0] == 2);
	b[2] = b[0] + 255; assert(b[2] == 1);
	assert(c[1] == 3)
}
