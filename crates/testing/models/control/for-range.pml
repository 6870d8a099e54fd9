/*
 * for over a range: the variable ends one above the last value.
 *
 * states: 40 transitions: 63
 * faults: none
 */
byte s;
active proctype P() {
	byte i;
	for (i : 1 .. 3) { s = s + i }
	assert(s == 6 && i == 4)
}
active proctype Q() { skip }
