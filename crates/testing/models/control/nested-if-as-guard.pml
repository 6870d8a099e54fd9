/*
 * An if as the first statement of an option: its guards are the option's.
 *
 * states: 63 transitions: 83
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: if :: x == 1 -> x = 10 :: x == 2 -> x = 20 fi; x++
	:: x == 3 -> x = 30
	fi;
	x++
}
active proctype Q() { x = 1; x = 2; x = 3 }
