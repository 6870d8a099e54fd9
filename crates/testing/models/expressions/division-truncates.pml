/*
 * Division rounds toward zero and the remainder has the sign of the first operand.
 *
 * states: 7 transitions: 6
 * faults: none
 */
int a = -7; int b = 2;
active proctype P() {
	assert(a / b == -3);
	assert(a % b == -1);
	assert(7 / -2 == -3);
	assert(7 % -2 == 1);
	assert((0 - 7) % 2 == -1)
}
