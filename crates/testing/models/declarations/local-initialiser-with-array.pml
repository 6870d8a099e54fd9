/*
 * The initial value of an array is the value of every element.
 *
 * states: 3 transitions: 2
 * faults: none
 */
active proctype P() {
	byte a[3] = 7;
	assert(a[0] == 7 && a[1] == 7 && a[2] == 7)
}
