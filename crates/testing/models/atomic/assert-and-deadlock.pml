/*
 * An atomic sequence that blocks after an assertion that fails.
 *
 * states: 2 transitions: 1
 * faults: assertion@11, invalid-end-state
 */
byte x;
active proctype P() {
	atomic {
		x = 1;
		assert(x == 2);
		x == 3
	}
}
