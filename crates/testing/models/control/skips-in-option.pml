/*
 * Several skips one after the other in an option.
 *
 * states: 22 transitions: 33
 * faults: none
 */
byte x;
active proctype P() {
	if :: skip; skip :: skip; skip; skip; x = 1 fi;
	x = 2
}
active proctype Q() { x = 3 }
