/*
 * A loop whose only option is a loop.
 *
 * states: 9 transitions: 9
 * faults: none
 */
byte x;
active proctype P() {
	do :: do :: x < 2 -> x++ :: x == 2 -> break od :: x == 2 -> break od;
	x = 4
}
