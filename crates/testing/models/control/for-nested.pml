/*
 * for inside for.
 *
 * states: 22 transitions: 21
 * faults: none
 */
byte s;
active proctype P() {
	byte i, j;
	for (i : 0 .. 1) { for (j : 0 .. i) { s++ } }
	assert(s == 3)
}
