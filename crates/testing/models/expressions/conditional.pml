/*
 * A conditional expression evaluates only the branch that is chosen.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x = 5; byte z;
active proctype P() {
	z = (x > 3 -> 1 : 2); assert(z == 1);
	z = (x < 3 -> 10 / (x - 5) : 7); assert(z == 7);
	z = (x -> (x == 5 -> 3 : 4) : 5); assert(z == 3)
}
