/*
 * A declaration without a value in front of the guard of an option.
 *
 * states: 26 transitions: 33
 * faults: none
 */
byte g;
active proctype P() {
	if
	:: byte x; g == 1 -> x = 5; g = x
	:: g == 0 -> byte y; g = y + 3
	fi
}
active proctype Q() { g = 1 }
