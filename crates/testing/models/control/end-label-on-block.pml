/*
 * An end label in front of a block.
 *
 * refused
 */
byte x;
active proctype P() {
	x = 1;
end:	{ x == 5; x = 6 }
}
active proctype Q() {
	{ end: x == 7; x = 8 }
}
