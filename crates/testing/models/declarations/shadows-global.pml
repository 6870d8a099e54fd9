/*
 * A local variable may have the name of a global one in a process that stands before.
 *
 * states: 7 transitions: 8
 * faults: none
 */
active proctype P() {
	byte x = 2;
	assert(x == 2)
}
byte x = 1;
active proctype Q() { assert(x == 1) }
