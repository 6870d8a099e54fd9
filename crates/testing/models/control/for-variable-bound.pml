/*
 * The bound of for is evaluated in every round.
 *
 * states: 22 transitions: 21
 * faults: none
 */
byte n = 2; byte s;
active proctype P() {
	byte i;
	for (i : 0 .. n) { if :: s == 0 -> n = 3 :: else fi; s++ }
	assert(s == 4)
}
