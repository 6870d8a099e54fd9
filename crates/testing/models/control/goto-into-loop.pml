/*
 * A goto into the middle of an option.
 *
 * states: 11 transitions: 10
 * faults: none
 */
byte x;
active proctype P() {
	goto in;
	do
	:: x < 4 -> x++;
in:	   x++
	:: else -> break
	od;
	assert(x == 5)
}
