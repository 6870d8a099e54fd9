/*
 * Labels on the statements of a loop.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() {
	do
	:: x == 1 -> end_a: x == 9
	:: x < 1 -> x++
	od
}
