/*
 * A division by zero is a run-time error.
 *
 * states: any
 * faults: run-time-error@10
 */
int a = 7; int b;
active proctype P() {
	a = 8;
	a = a / b
}
