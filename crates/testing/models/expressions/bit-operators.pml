/*
 * And, or, exclusive or and complement, bit by bit.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte a = 12; byte b = 10;
active proctype P() {
	assert((a & b) == 8);
	assert((a | b) == 14);
	assert((a ^ b) == 6);
	assert(~a == -13);
	b = ~a; assert(b == 243)
}
