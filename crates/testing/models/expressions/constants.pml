/*
 * Constants in decimal, also negative ones and large ones.
 *
 * states: 5 transitions: 4
 * faults: none
 */
int a = -1; int b = 2147483647; short c = -32768;
#define N 4
byte d = N + 1;
active proctype P() {
	assert(a == -1 && c == -32768 && d == 5);
	b++;
	assert(b == -2147483647 - 1)
}
