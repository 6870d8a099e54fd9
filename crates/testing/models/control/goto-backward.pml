/*
 * A goto to a label before makes a loop.
 *
 * states: 10 transitions: 9
 * faults: none
 */
byte x;
active proctype P() {
a:	if
	:: x < 3 -> x++; goto a
	:: else
	fi;
	assert(x == 3)
}
