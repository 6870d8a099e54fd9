/*
 * An assertion that fails inside atomic.
 *
 * states: 3 transitions: 2
 * faults: assertion@11
 */
byte x;
active proctype P() {
	atomic {
		x = 1;
		assert(x == 2);
		x = 2
	}
}
