/*
 * Shifts work on ints; a shift to the right keeps the sign.
 *
 * states: 10 transitions: 9
 * faults: none
 */
int a = 1; byte b = 128;
active proctype P() {
	assert(a << 4 == 16);
	assert(b << 1 == 256);
	b = b << 1; assert(b == 0);
	a = -8; assert(a >> 1 == -4);
	a = 1; assert(a << 31 < 0)
}
