/*
 * An end label in front of an if that begins an option.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
byte x;
active proctype P() {
	if
	:: end: if :: x == 5 :: x == 6 fi
	:: x == 7
	fi
}
