/*
 * A statement may have two labels.
 *
 * states: 9 transitions: 8
 * faults: none
 */
byte x;
active proctype P() {
a: b:	x++;
	if :: x == 1 -> goto a :: x == 2 -> goto b :: else fi;
	assert(x == 3)
}
