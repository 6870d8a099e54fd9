/*
 * A bit keeps the lowest bit of what is stored.
 *
 * states: 13 transitions: 12
 * faults: none
 */
bit b; bool c;
int i;
active proctype P() {
	b = 2; assert(b == 0);
	b = 3; assert(b == 1);
	c = -1; assert(c == 1);
	i = 6; b = i / 2; assert(b == 1);
	b = b + 1; assert(b == 0)
}
