/*
 * else as the first option is still taken only if no other is executable.
 *
 * states: 23 transitions: 32
 * faults: none
 */
byte x;
active proctype P() {
	do
	:: else -> break
	:: x < 2 -> x++
	od;
	assert(x >= 2)
}
active proctype Q() { x = 4 }
