/*
 * An assertion that fails inside a d_step; the run goes on.
 *
 * states: 4 transitions: 3
 * faults: assertion@11
 */
byte x;
active proctype P() {
	d_step {
		x = 1;
		assert(x == 2);
		x = 2
	};
	x = 3
}
