/*
 * An array that is declared after the first statement gets its initial value in element 0 only, at that place.
 *
 * states: 7 transitions: 6
 * faults: assertion@13
 */
byte g;
active proctype P() {
	g = 1;
	byte x[3] = g + 1;
	assert(x[0] == 2);
	assert(x[1] == 0);
	assert(x[1] == 2)
}
