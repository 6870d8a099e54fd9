/*
 * A label at the end of a process.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() {
	if :: x = 1; goto fin :: x = 2 fi;
	x = 3;
fin:
}
