/*
 * The second operand of && and || is evaluated only if it matters.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x; byte a[2];
active proctype P() {
	byte i = 5;
	assert(!(x != 0 && 10 / x > 1));
	assert(x == 0 || 10 / x > 1);
	assert(i >= 2 || a[i] == 0)
}
