/*
 * A declaration without an initial value is not a step.
 *
 * states: 22 transitions: 33
 * faults: none
 */
active proctype P() {
	byte g;
	g = 1;
	byte x;
	x = g;
	short y, z;
	z = x
}
active proctype Q() { skip }
