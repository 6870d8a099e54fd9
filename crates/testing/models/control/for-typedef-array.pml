/*
 * for over an array of typedefs, and over an array in a typedef.
 *
 * states: 23 transitions: 22
 * faults: none
 */
typedef T { byte x; byte y[2] };
T t[2]; byte s;
active proctype P() {
	byte i;
	for (i in t) { t[i].x = i + 1; s++ }
	for (i in t[1].y) { t[1].y[i] = 4; s++ }
	assert(t[1].x == 2 && s == 4 && t[1].y[1] == 4)
}
