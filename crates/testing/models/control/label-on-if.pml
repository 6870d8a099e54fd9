/*
 * A label in front of an if.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() {
l:	if
	:: x < 2 -> x++; goto l
	:: x == 2 -> goto m
	fi;
	x = 9;
m:	assert(x == 2)
}
