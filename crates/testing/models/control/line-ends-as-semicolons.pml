/*
 * Between a closing brace, fi or od and the next statement no semicolon is needed.
 *
 * states: 16 transitions: 15
 * faults: none
 */
byte x
chan c = [1] of { byte }
active proctype P() {
	byte y
	x = 1
	if
	:: x == 1 -> x = 2
	:: else -> skip
	fi
	do
	:: x < 4 -> x++
	:: else -> break
	od
	atomic { x = 5; x = 6 }
	c!x
	c?y
	assert(y == 6)
	{ x = 7 }
	x = 8
}
