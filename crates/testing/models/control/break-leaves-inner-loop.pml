/*
 * break leaves the innermost do.
 *
 * states: 24 transitions: 23
 * faults: none
 */
byte x, y;
active proctype P() {
	do
	:: y < 2 ->
	   do :: x < 3 -> x++ :: x == 3 -> break od;
	   x = 0; y++
	:: else -> break
	od;
	assert(y == 2 && x == 0)
}
