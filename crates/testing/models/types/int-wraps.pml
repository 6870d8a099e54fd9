/*
 * An int has 32 bits and wraps.
 *
 * states: 6 transitions: 5
 * faults: none
 */
int i = 2147483647;
active proctype P() {
	i++;
	assert(i < 0);
	i--;
	assert(i == 2147483647)
}
