/*
 * A macro may go over several lines.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
#define BODY \
	x = 1; \
	x = 2
active proctype P() { BODY; assert(x == 2) }
