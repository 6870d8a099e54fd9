/*
 * An end label after the guard of an option belongs to that place only.
 *
 * states: 3 transitions: 2
 * faults: invalid-end-state
 */
byte x;
active proctype P() {
	if
	:: x == 0 -> end1: x == 5
	:: x = 1; x == 5
	fi
}
