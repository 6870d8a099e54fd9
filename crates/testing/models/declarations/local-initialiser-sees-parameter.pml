/*
 * The initialiser of a local variable may use the parameters and what is declared before.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte g = 2;
proctype Q(byte p) {
	byte a = p + g;
	byte b = a * 2;
	assert(b == 14)
}
init { g = 4; run Q(3) }
