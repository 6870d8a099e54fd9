/*
 * A declaration inside d_step.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte g;
active proctype P() {
	d_step {
		g = 1;
		byte x = 5;
		g = x + g
	};
	assert(g == 6)
}
