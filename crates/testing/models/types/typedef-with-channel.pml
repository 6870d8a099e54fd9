/*
 * A typedef can hold a channel; each variable has its own.
 *
 * states: 9 transitions: 8
 * faults: none
 */
typedef T { chan c = [1] of { byte }; byte x };
T t[2];
active proctype P() {
	t[0].c!5; assert(empty(t[1].c));
	t[1].c!6;
	t[0].c?t[1].x;
	assert(t[1].x == 5);
	t[1].c?t[0].x;
	assert(t[0].x == 6)
}
