/*
 * else in the outer choice before the inner one.
 *
 * refused
 */
byte x;
active proctype P() {
	if
	:: else -> x = 30
	:: if :: else -> x = 20 :: x == 1 -> x = 10 fi; x++
	fi
}
active proctype Q() { x = 1 }
