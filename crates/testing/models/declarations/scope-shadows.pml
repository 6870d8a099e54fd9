/*
 * A variable in a block hides one of the same name outside it.
 *
 * refused
 */
byte x = 1;
active proctype P() {
	byte x = 2;
	{ byte x = 3; assert(x == 3); x = 4 };
	assert(x == 2)
}
active proctype Q() { assert(x == 1) }
