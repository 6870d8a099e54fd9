/*
 * A block as the first statement of an option.
 *
 * states: 30 transitions: 36
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: { x == 1; x = 2 }; x = 3
	:: { { x == 0 }; x = 4 }
	fi;
	x++
}
active proctype Q() { x = 1 }
