/*
 * A do as the first statement of an option.
 *
 * states: 27 transitions: 34
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: do :: x == 1 -> x = 2 :: x == 2 -> break od; x = 7
	:: x == 0 -> x = 1
	fi;
	x++
}
active proctype Q() { x = 1 }
