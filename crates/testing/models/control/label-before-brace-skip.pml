/*
 * A label in front of a skip at the end.
 *
 * states: 20 transitions: 29
 * faults: none
 */
byte x;
active proctype P() {
	if :: x = 1; goto fin :: x = 2 fi;
	x = 3;
fin:	skip
}
active proctype Q() { skip }
