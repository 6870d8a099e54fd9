/*
 * Several variables in one late declaration: one step for each that has an initial value.
 *
 * states: 34 transitions: 47
 * faults: none
 */
byte g;
active proctype P() {
	g = 1;
	byte x = 1, y, z = g + 1;
	assert(x == 1 && y == 0)
}
active proctype Q() { g = 7 }
