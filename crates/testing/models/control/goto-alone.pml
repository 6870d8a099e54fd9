/*
 * A goto as the first statement of a process.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte x;
active proctype P() {
	goto l;
	x = 2;
l:	x = 3
}
active proctype Q() { x = 4 }
