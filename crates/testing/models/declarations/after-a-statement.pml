/*
 * A declaration with an initial value after the first statement is a step of its own.
 *
 * states: 24 transitions: 31
 * faults: none
 */
byte g;
active proctype P() {
	g = 1;
	byte x = g + 1;
	assert(x == 2 || x == 8)
}
active proctype Q() { g = 7 }
