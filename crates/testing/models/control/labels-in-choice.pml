/*
 * A label in front of the guard of an option that is the target of a goto.
 *
 * states: 7 transitions: 6
 * faults: invalid-end-state
 */
byte x;
active proctype P() {
	do
	:: again: x < 3 -> x++; goto again
	:: x == 3 -> break
	:: x == 1 -> x = 3
	od
}
