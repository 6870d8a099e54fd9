/*
 * With 32 bits an unsigned variable is read as an int.
 *
 * refused
 */
unsigned a : 32;
active proctype P() {
	a = -1;
	assert(a == -1);
	assert(a > 0)
}
