/*
 * A label before a loop at the head of atomic, d_step, a block or unless: it names the loop, not the first statement.
 *
 * states: 782 transitions: 1259
 * faults: invalid-end-state
 */
byte x, y, z;
active proctype P() {
	byte i;
	atomic { A: do :: x < 2 -> x++ :: x == 1 -> x = 2; goto A :: x == 2 -> break od };
	skip;
	d_step { B: for (i : 1 .. 3) { y++; if :: y == 2 -> goto B :: else fi } };
	{ C: do :: x < 4 -> x++ :: else -> break od } unless { D: do :: z == 1 -> z = 2 :: z == 2 -> break od };
	E: for (i : 1 .. 2) { y = 0 } unless { z == 3 };
	y = 1 unless F: for (i : 1 .. 2) { z = 4 };
	{ G: for (i : 1 .. 2) { y++ } };
	y = 9
}
active proctype Q() { z = 1; z = 3 }
