/*
 * Two loops one after the other.
 *
 * states: 13 transitions: 12
 * faults: none
 */
byte x;
active proctype P() {
	do :: x < 2 -> x++ :: else -> break od;
	do :: x > 0 -> x-- :: else -> break od;
	assert(x == 0)
}
