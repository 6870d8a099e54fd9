/*
 * A declaration as the first statement of an option: its step is the guard.
 *
 * states: 20 transitions: 25
 * faults: none
 */
byte g;
active proctype P() {
	if
	:: byte x = 5; g = x
	:: g == 1 -> byte y = 2; g = y
	fi
}
active proctype Q() { g = 1 }
