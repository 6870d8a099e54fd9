/*
 * A typedef can hold another one and arrays of it.
 *
 * states: 10 transitions: 9
 * faults: none
 */
typedef In { byte x[2]; short s };
typedef Out { In a; In b[2]; bit c };
Out o;
active proctype P() {
	o.a.x[1] = 300; assert(o.a.x[1] == 44);
	o.b[1].x[0] = 7; assert(o.b[1].x[0] == 7 && o.b[0].x[0] == 0);
	o.b[0].s = 40000; assert(o.b[0].s == -25536);
	o.c = 3; assert(o.c == 1)
}
