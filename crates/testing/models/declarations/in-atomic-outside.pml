/*
 * A declaration inside atomic is one of its steps.
 *
 * refused
 */
byte g;
active proctype P() {
	atomic {
		byte x = 5;
		g = x;
		byte y = g + 1
	};
	assert(y == 6 || y == 1)
}
active proctype Q() { g = 0 }
