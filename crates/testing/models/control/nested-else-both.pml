/*
 * else in the inner and in the outer choice.
 *
 * refused
 */
byte x;
active proctype P() {
	if
	:: if :: x == 1 -> x = 10 :: else -> x = 20 fi; x++
	:: else -> x = 30
	fi
}
active proctype Q() { x = 1 }
