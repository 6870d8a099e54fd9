/*
 * An assertion that fails is reported and the run goes on.
 *
 * states: 6 transitions: 5
 * faults: assertion@9, assertion@12
 */
byte x;
active proctype P() {
	assert(x);
	x = 1;
	assert(x);
	assert(false)
}
