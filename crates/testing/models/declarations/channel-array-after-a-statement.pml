/*
 * An array of channels that is declared late.
 *
 * refused
 */
active proctype P() {
	byte x;
	x = 1;
	chan c[2] = [1] of { byte };
	c[0]!1; c[1]!3;
	c[1]?x; assert(x == 3)
}
