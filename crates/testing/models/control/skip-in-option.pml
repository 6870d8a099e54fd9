/*
 * skip as the only statement of an option is a step.
 *
 * states: 19 transitions: 26
 * faults: none
 */
byte x;
active proctype P() {
	if :: skip :: x == 0 -> x = 1 fi;
	x = 2
}
active proctype Q() { x = 3 }
