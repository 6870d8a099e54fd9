/*
 * A goto that has a label itself.
 *
 * states: 29 transitions: 41
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
a:	goto b;
	x = 2;
b:	if :: x < 3 -> x++; goto a :: else fi
}
active proctype Q() { x = 3 }
