/*
 * for over an element of an array of channels.
 *
 * states: 18 transitions: 17
 * faults: none
 */
typedef M { byte a; byte b };
chan c[2] = [3] of { M }; byte s;
active proctype P() {
	M m;
	c[1]!1,2; c[1]!3,4; c[0]!9,9;
	for (m in c[1]) { s = s + m.a * m.b }
	assert(s == 14)
}
