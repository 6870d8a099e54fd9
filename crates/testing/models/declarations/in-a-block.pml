/*
 * A declaration in a block is a step; the variable keeps its value between rounds until it is set again.
 *
 * states: 15 transitions: 14
 * faults: none
 */
byte g;
active proctype P() {
	do
	:: g < 3 ->
	   { byte x = g; x++; g = x }
	:: else -> break
	od
}
