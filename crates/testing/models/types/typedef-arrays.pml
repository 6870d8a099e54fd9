/*
 * Arrays of typedefs stand in for arrays with two dimensions.
 *
 * states: 32 transitions: 31
 * faults: none
 */
typedef Row { byte c[3] };
Row m[2];
active proctype P() {
	byte i, j;
	for (i : 0 .. 1) { for (j : 0 .. 2) { m[i].c[j] = 3 * i + j } }
	assert(m[1].c[2] == 5);
	assert(m[0].c[2] == 2)
}
