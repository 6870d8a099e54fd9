/*
 * The body may change the variable of the loop.
 *
 * states: 17 transitions: 16
 * faults: none
 */
byte s;
active proctype P() {
	byte i;
	for (i : 0 .. 5) { i++; s++ }
	assert(s == 3)
}
