/*
 * A break with a label.
 *
 * states: 9 transitions: 8
 * faults: none
 */
byte x;
active proctype P() {
	do :: x < 3 -> x++; if :: x == 2 -> goto out :: else fi
	:: x == 2 -> x = 7;
out:	   break
	od;
	x = 5
}
