/*
 * A goto with a progress label is a step of its own.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
progress_a:	goto b;
	x = 2;
b:	x = 5
}
active proctype Q() { x = 3 }
