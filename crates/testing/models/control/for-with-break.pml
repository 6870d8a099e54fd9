/*
 * break inside for leaves it.
 *
 * states: 11 transitions: 10
 * faults: none
 */
byte s;
active proctype P() {
	byte i;
	for (i : 1 .. 5) { s++; if :: i == 2 -> break :: else fi }
	assert(s == 2 && i == 2)
}
