/*
 * A negative index is a run-time error.
 *
 * states: any
 * faults: run-time-error@10
 */
byte a[3]; short i = -1; byte x;
active proctype P() {
	x = 1;
	x = a[i]
}
