/*
 * A local channel as a parameter.
 *
 * states: 7 transitions: 7
 * faults: none
 */
byte x;
proctype Q(chan a; byte n) { a!n }
init { chan c = [0] of { byte }; run Q(c, 4); c?x; assert(x == 4) }
