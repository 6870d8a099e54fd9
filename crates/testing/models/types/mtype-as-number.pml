/*
 * Symbolic names are numbers: they can be added and compared.
 *
 * states: 5 transitions: 4
 * faults: none
 */
mtype = { a, b, c };
byte n[4];
active proctype P() {
	n[a] = b + c;
	assert(n[3] == 3);
	assert(a > b)
}
