/*
 * An assertion inside an inline fails where it is written.
 *
 * states: 4 transitions: 3
 * faults: assertion@9
 */
byte x;
inline f(n) {
	assert(x == n)
}
active proctype P() { f(0); f(1) }
