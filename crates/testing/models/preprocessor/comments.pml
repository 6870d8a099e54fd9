/*
 * Comments of both kinds.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x; /* one */ byte y; // two
active proctype P() { x /* inside */ = 1; // x = 2;
	assert(x == 1) }
