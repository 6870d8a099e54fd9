/*
 * for as the first statement of an option.
 *
 * states: 35 transitions: 54
 * faults: none
 */
byte s;
active proctype P() {
	byte i;
	if
	:: for (i : 1 .. 2) { s++ }
	:: s == 0 -> s = 7
	fi
}
active proctype Q() { skip }
