/*
 * Comparisons and boolean operators give 0 or 1.
 *
 * refused
 */
int x = 7;
active proctype P() {
	assert((x && 3) == 1);
	assert((x || 0) == 1);
	assert(!x == 0);
	assert(!!x == 1);
	assert((x > 3) + (x < 3) == 1);
	x = (x == 7) * 5; assert(x == 5)
}
