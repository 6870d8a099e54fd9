/*
 * An index that the array does not have is a run-time error.
 *
 * states: any
 * faults: run-time-error@10
 */
byte a[3]; byte i = 3;
active proctype P() {
	a[2] = 1;
	a[i] = 1
}
