/*
 * A choice at the end of an option goes on with the loop.
 *
 * states: 14 transitions: 16
 * faults: none
 */
byte x;
active proctype P() {
	do
	:: x < 4 -> if :: x++ :: x = x + 2 fi
	:: x >= 4 -> break
	od
}
