/*
 * else in an inner if that begins an option counts for the whole choice.
 *
 * states: 35 transitions: 42
 * faults: none
 */
byte x;
active proctype P() {
	if
	:: if :: x == 1 -> x = 10 :: else -> x = 20 fi; x++
	:: x == 0 -> x = 30
	fi
}
active proctype Q() { x = 1 }
