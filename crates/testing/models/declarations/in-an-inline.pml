/*
 * A declaration inside an inline is a step at the place of the call; each call has its own variable.
 *
 * states: 22 transitions: 33
 * faults: none
 */
byte g;
inline f(n) {
	byte t = n;
	g = g + t
}
active proctype P() {
	g = 1;
	f(2);
	f(3);
	assert(g == 6)
}
active proctype Q() { skip }
