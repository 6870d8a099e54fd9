/*
 * Declarations at the beginning are initialised when the process is created, not when it first moves.
 *
 * states: 19 transitions: 24
 * faults: none
 */
byte g = 1;
proctype Q() {
	byte a = g;
	assert(a == 1);
	g = 5
}
init { run Q(); g = 2; g = 3 }
