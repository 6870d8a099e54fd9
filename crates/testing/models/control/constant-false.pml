/*
 * An option with a constant that is false is never chosen.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() {
	if :: false -> x = 1 :: 0 -> x = 2 :: x = 3 fi;
	do :: false :: x < 5 -> x++ :: x == 5 -> break od
}
