/*
 * Fields of a typedef can have initial values; every variable of the type has them.
 *
 * states: 5 transitions: 4
 * faults: none
 */
typedef T { byte x = 3; byte a[2] = 4; short s };
T t; T u[2];
active proctype P() {
	T l;
	assert(t.x == 3 && t.a[0] == 4 && t.a[1] == 4 && t.s == 0);
	assert(u[1].x == 3 && u[1].a[1] == 4);
	assert(l.x == 3 && l.a[1] == 4)
}
