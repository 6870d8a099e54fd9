/*
 * The index on the left is evaluated in the state before the assignment.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte a[3]; byte b[3]; byte i = 1;
active proctype P() {
	a[i] = 2;
	b[a[i]] = a[i] + 1;
	i = b[a[i]] + i;
	assert(i == 4)
}
