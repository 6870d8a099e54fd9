/*
 * A goto as the first statement of an option is a step that is always executable.
 *
 * states: 19 transitions: 26
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: goto l
	:: x == 1 -> x = 2
	fi;
	x = 3;
l:	x = 4
}
active proctype Q() { x = 1 }
