/*
 * A channel variable holds a channel's number; channels are numbered from 1 in the order of creation.
 *
 * states: 10 transitions: 9
 * faults: none
 */
chan a = [1] of { byte };
chan b = [1] of { byte };
chan c;
byte n;
active proctype P() {
	c = b; assert(c == b && c != a);
	n = a; assert(n == 1);
	n = b; assert(n == 2);
	c!4; assert(len(b) == 1)
}
