/*
 * for over an array runs over its indices.
 *
 * states: 17 transitions: 16
 * faults: none
 */
byte a[3] = 2; byte s;
active proctype P() {
	byte i;
	for (i in a) { a[i] = i; s++ }
	assert(a[2] == 2 && s == 3 && i == 3)
}
