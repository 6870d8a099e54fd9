/*
 * Fields of an mtype, also of a named one.
 *
 * states: 6 transitions: 5
 * faults: none
 */
mtype = { a, b };
mtype:n = { p, q, r };
chan c = [2] of { mtype, mtype:n };
active proctype P() {
	mtype m; mtype:n k;
	c!b(q); c!a(p);
	c?a(k) unless { c?m,k };
	assert(m == b && k == q)
}
