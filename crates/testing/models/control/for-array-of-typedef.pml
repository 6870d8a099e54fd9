/*
 * for over an array of typedefs.
 *
 * states: 13 transitions: 12
 * faults: none
 */
typedef T { byte x; byte y[2] };
T t[2]; byte s;
active proctype P() {
	byte i;
	for (i in t) { t[i].x = i + 1; s++ }
	assert(t[1].x == 2 && s == 2)
}
