/*
 * An unsigned variable is compared as an int.
 *
 * states: 4 transitions: 3
 * faults: none
 */
unsigned a : 4 = 3;
active proctype P() {
	assert(a - 4 < 0);
	assert(a > -1)
}
