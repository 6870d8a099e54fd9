/*
 * Local unsigned variables and fields are truncated, too.
 *
 * states: 7 transitions: 6
 * faults: none
 */
typedef T { unsigned x : 2; byte y };
active proctype P() {
	unsigned a : 4 = 31;
	T t;
	assert(a == 15);
	t.x = 6; assert(t.x == 2);
	t.y = 6; assert(t.y == 6)
}
