/*
 * An array without an index is its element 0.
 *
 * refused
 */
byte a[3];
active proctype P() {
	a[0] = 5;
	assert(a == 5)
}
