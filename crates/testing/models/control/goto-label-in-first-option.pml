/*
 * A goto to the label of a guard goes to that guard alone.
 *
 * states: 8 transitions: 9
 * faults: none
 */
byte x;
active proctype P() {
	goto l;
	if
	:: l: x == 1 -> x = 5
	:: x == 0 -> x = 6
	fi
}
active proctype Q() { x = 1 }
