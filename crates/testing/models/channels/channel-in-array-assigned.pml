/*
 * Elements of an array of channels without initial value.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan a[2]; chan b = [1] of { byte }; byte x;
active proctype P() { a[1] = b; a[1]!4; b?x; assert(x == 4) }
