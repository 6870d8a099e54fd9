/*
 * A list of values after the first statement: a process begins with all of them, the statement sets element 0 only.
 *
 * states: 17 transitions: 16
 * faults: none
 */
byte x;
active proctype P() {
	do
	:: x < 2 ->
		byte a[3] = { 4, 5, 6 };
		assert(a[0] == 4);
		assert(a[1] == 5 + x && a[2] == 6);
		a[0] = 7; a[1] = 6; x++
	:: else -> break
	od
}
