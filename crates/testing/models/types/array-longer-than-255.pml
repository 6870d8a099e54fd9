/*
 * Arrays may have more than 255 elements.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte a[300]; short i;
active proctype P() {
	a[299] = 3;
	i = 299;
	assert(a[i] == 3 && a[43] == 0)
}
