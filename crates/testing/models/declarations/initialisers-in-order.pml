/*
 * Global variables are initialised in the order of the text.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte a = 3; byte b = a + 1; byte c = b * 2;
active proctype P() {
	assert(b == 4);
	assert(c == 8)
}
