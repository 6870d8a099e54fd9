/*
 * A local channel comes into being with the process, wherever it is declared.
 *
 * refused
 */
byte g;
active proctype P() {
	g = 1;
	chan c = [2] of { byte };
	c!g;
	c?g
}
active proctype Q() { g = 2 }
