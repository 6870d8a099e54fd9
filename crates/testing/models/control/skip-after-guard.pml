/*
 * skip after a guard.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() {
	if :: x == 0 -> skip :: x == 3 -> skip; skip fi;
	x = 2
}
active proctype Q() { x = 3 }
