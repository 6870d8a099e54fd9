/*
 * A d_step that never ends is an error.
 *
 * states: any
 * faults: run-time-error@9
 */
byte x;
active proctype P() {
	d_step { do :: x = 1 - x od }
}
