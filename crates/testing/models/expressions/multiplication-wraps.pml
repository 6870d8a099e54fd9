/*
 * A product that is too large wraps.
 *
 * states: 4 transitions: 3
 * faults: none
 */
int a = 65536;
active proctype P() {
	a = a * 65537;
	assert(a == 65536)
}
