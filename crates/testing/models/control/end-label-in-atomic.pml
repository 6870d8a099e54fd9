/*
 * An end label inside an atomic sequence, where it blocks.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
active proctype P() {
	atomic { x = 2; end: x == 5; x = 6 }
}
