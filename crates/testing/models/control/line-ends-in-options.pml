/*
 * Statements of an option on lines of their own.
 *
 * states: 11 transitions: 10
 * faults: none
 */
byte x
active proctype P() {
	do
	:: x < 2 ->
		x++
		x = x + 0
	:: x == 2
		x = 9
		break
	od
	assert(x == 9)
}
