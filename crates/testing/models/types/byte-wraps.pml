/*
 * A byte keeps eight bits.
 *
 * states: 10 transitions: 9
 * faults: none
 */
byte b = 255;
active proctype P() {
	b++; assert(b == 0);
	b--; assert(b == 255);
	b = 256 + 7; assert(b == 7);
	b = -2; assert(b == 254)
}
