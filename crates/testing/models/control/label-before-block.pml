/*
 * A label in front of a block names its first statement.
 *
 * states: 9 transitions: 8
 * faults: invalid-end-state
 */
byte x;
active proctype P() {
	x = 1;
l:	{ x++; x < 4 };
	if :: x < 4 -> goto l :: else fi
}
