/*
 * for over an empty channel does nothing.
 *
 * states: 5 transitions: 4
 * faults: none
 */
typedef M { byte a };
chan c = [3] of { M }; byte s;
active proctype P() {
	M m;
	for (m in c) { s++ }
	assert(s == 0)
}
