/*
 * An unsigned variable keeps as many bits as its declaration says.
 *
 * states: 17 transitions: 16
 * faults: none
 */
unsigned a : 3 = 9;
unsigned b : 1; unsigned c : 8; unsigned d : 16; unsigned e : 31;
active proctype P() {
	assert(a == 1);
	a = 15; assert(a == 7);
	a++; assert(a == 0);
	a--; assert(a == 7);
	b = 2; assert(b == 0);
	c = -1; assert(c == 255);
	d = -1; assert(d == 65535);
	e = -1; assert(e == 2147483647)
}
