/*
 * An index out of range inside a d_step.
 *
 * states: any
 * faults: run-time-error@11
 */
byte x, a[2];
active proctype P() {
	d_step {
		x = 2;
		a[x] = 1;
		x = 3
	}
}
