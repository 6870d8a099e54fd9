/*
 * A bit in a typedef is a bit, an array of bits in a typedef has bytes.
 *
 * states: 10 transitions: 9
 * faults: none
 */
typedef T { bit b; bit a[2] };
T t; T u[2];
active proctype P() {
	t.b = 2; assert(t.b == 0);
	t.a[1] = 2; assert(t.a[1] == 2);
	u[1].b = 3; assert(u[1].b == 1);
	u[0].a[0] = 300; assert(u[0].a[0] == 44)
}
