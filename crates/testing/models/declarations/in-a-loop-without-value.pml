/*
 * Without an initial value a variable in a block keeps the value of the round before.
 *
 * states: 8 transitions: 8
 * faults: none
 */
byte g;
active proctype P() {
	do
	:: g < 3 ->
	   byte x;
	   x++; g = x
	:: else -> break
	od;
	assert(g == 3)
}
