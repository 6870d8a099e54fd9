/*
 * An arrow at the beginning of a line.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: x == 0
	   -> x = 1
	:: else
	   -> skip
	fi
}
