/*
 * The elements of an array of bits or bools are whole bytes.
 *
 * states: 10 transitions: 9
 * faults: none
 */
bit b[3]; bool c[2];
active proctype P() {
	b[0] = 2; assert(b[0] == 2);
	b[1] = 257; assert(b[1] == 1);
	c[1] = 256; assert(c[1] == 0);
	c[0] = -1; assert(c[0] == 255)
}
