/*
 * break inside an if inside a do.
 *
 * states: 9 transitions: 8
 * faults: none
 */
byte x;
active proctype P() {
	do :: x++; if :: x == 3 -> break :: x == 4 -> break :: else fi od;
	assert(x == 3)
}
