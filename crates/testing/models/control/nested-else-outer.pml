/*
 * else of an outer if whose option begins with an if.
 *
 * states: 39 transitions: 47
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: if :: x == 1 -> x = 10 :: x == 2 -> x = 20 fi; x++
	:: else -> x = 30
	fi
}
active proctype Q() { x = 1; x = 2 }
