/*
 * Operators bind as in C, also comparison tighter than the bit operators.
 *
 * states: 11 transitions: 10
 * faults: none
 */
byte a = 2; byte b = 3; byte c = 4;
active proctype P() {
	assert(a + b * c == 14);
	assert((a | b == 3) == 3);
	assert((a & b == 2) == 0);
	assert((1 << 2 + 1) == 8);
	assert(a - b - c == -5);
	assert(c / a / 2 == 1);
	assert(!a == 0);
	assert(-a + 3 == 1);
	assert(a < b == 1)
}
