/*
 * ++ and -- are statements, also on array elements and fields.
 *
 * states: 8 transitions: 7
 * faults: none
 */
typedef T { byte x };
byte a[2]; T t; short s;
active proctype P() {
	a[1]++; a[1]++; a[0]--;
	t.x--; s--;
	assert(a[1] == 2 && a[0] == 255 && t.x == 255 && s == -1)
}
