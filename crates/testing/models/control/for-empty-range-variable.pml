/*
 * for over an empty range with a bound that is not a constant.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte s, n;
active proctype P() {
	byte i;
	for (i : 3 .. n) { s++ }
	assert(s == 0 && i == 3)
}
