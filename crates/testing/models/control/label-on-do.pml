/*
 * A label in front of a do.
 *
 * states: 14 transitions: 13
 * faults: none
 */
byte x;
active proctype P() {
	do
	:: x == 0 ->
in:	   do
	   :: x < 3 -> x++; if :: x == 2 -> goto in :: else fi
	   :: x == 3 -> break
	   od
	:: else -> break
	od
}
