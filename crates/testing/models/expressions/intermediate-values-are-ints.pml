/*
 * Operations are done on ints; only storing truncates.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte a = 200; byte b = 100; byte c;
active proctype P() {
	assert(a + b == 300);
	assert(b - a == -100);
	c = (a + b) / 2; assert(c == 150);
	assert(a * b == 20000);
	assert(a * b * a * b == 400000000)
}
