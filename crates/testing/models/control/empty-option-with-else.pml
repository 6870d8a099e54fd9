/*
 * else without a statement after it.
 *
 * states: 17 transitions: 21
 * faults: none
 */
byte x;
active proctype P() {
	if :: x == 1 -> x = 2 :: else fi;
	x = 3
}
active proctype Q() { x = 1 }
