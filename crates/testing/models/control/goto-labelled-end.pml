/*
 * A goto with an end label is a step of its own.
 *
 * states: 13 transitions: 16
 * faults: invalid-end-state
 */
byte x;
active proctype P() {
	x = 1;
end_a:	goto b;
	x = 2;
b:	x == 5
}
active proctype Q() { x = 3 }
