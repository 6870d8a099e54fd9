/*
 * A declaration inside atomic is one of its steps, and known inside only.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte g;
active proctype P() {
	atomic {
		byte x = 5;
		g = x;
		byte y = g + 1;
		assert(y == 6)
	}
}
active proctype Q() { g = 0 }
