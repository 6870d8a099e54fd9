/*
 * A declaration that begins a d_step.
 *
 * states: 13 transitions: 18
 * faults: none
 */
byte g;
active proctype P() {
	g = 2;
	d_step {
		byte x = g;
		g = x + g
	};
	assert(g == 4)
}
active proctype Q() { skip }
