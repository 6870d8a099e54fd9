/*
 * A value that is too large for the variable is truncated after the whole expression.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte b = 1;
active proctype P() {
	b = (b << 9) >> 9;
	assert(b == 1)
}
