/*
 * A choice that blocks in the middle of a d_step is an error.
 *
 * states: any
 * faults: run-time-error@11
 */
byte x;
active proctype P() {
	d_step {
		x = 1;
		if :: x == 2 :: x == 3 fi;
		x = 3
	}
}
