/*
 * Two blocks side by side have variables of their own.
 *
 * states: 7 transitions: 6
 * faults: none
 */
active proctype P() {
	{ byte x = 3; assert(x == 3) };
	{ byte x; assert(x == 0); x = 1 }
}
