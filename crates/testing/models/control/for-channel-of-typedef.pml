/*
 * for over a channel of a typedef looks at every message and puts it back.
 *
 * states: 17 transitions: 16
 * faults: none
 */
typedef M { byte a; byte b };
chan c = [3] of { M }; byte s;
active proctype P() {
	M m;
	c!1,2; c!3,4;
	for (m in c) { s = s + m.a * m.b }
	assert(s == 14 && len(c) == 2)
}
