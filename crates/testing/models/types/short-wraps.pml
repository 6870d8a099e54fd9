/*
 * A short keeps sixteen bits, with a sign.
 *
 * states: 12 transitions: 11
 * faults: none
 */
short s = 32767;
active proctype P() {
	s++; assert(s == -32768);
	s--; assert(s == 32767);
	s = 65536 + 5; assert(s == 5);
	s = 65535; assert(s == -1);
	s = -32769; assert(s == 32767)
}
