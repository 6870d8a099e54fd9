/*
 * An end label in front of a block.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
end:	{ x == 5; x = 6 }
}
