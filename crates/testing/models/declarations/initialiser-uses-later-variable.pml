/*
 * An initialiser that uses a later variable sees zero.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte a = 3; byte d[2] = a;
active proctype P() {
	byte x = a + 1;
	byte y = x + 1;
	assert(d[0] == 3 && d[1] == 3);
	assert(y == 5)
}
