/*
 * An end label in front of an atomic sequence.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
end:	atomic { x == 5; x = 6 }
}
