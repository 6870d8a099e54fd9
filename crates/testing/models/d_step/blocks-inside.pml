/*
 * A d_step that blocks in the middle is an error.
 *
 * states: any
 * faults: run-time-error@11
 */
byte x;
active proctype P() {
	d_step {
		x = 1;
		x == 2;
		x = 3
	}
}
