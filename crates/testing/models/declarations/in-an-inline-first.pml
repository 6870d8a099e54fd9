/*
 * A call of an inline with a declaration at the beginning of a process.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte g;
inline f(n) {
	byte t = n;
	g = g + t
}
active proctype P() {
	f(2);
	f(3);
	assert(g == 5)
}
