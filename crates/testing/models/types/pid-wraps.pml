/*
 * A pid keeps eight bits.
 *
 * states: 6 transitions: 5
 * faults: none
 */
pid p;
active proctype P() {
	p = 256; assert(p == 0);
	p = -1; assert(p == 255)
}
