/*
 * A receive from an empty channel in the middle of a d_step is an error.
 *
 * states: any
 * faults: run-time-error@11
 */
byte x; chan c = [1] of { byte };
active proctype P() {
	d_step {
		x = 1;
		c?x;
		x = 3
	}
}
