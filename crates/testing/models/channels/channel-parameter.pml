/*
 * A channel as a parameter.
 *
 * states: 9 transitions: 10
 * faults: none
 */
chan c = [1] of { byte }; byte x;
proctype Q(chan a; byte n) { a!n }
init { run Q(c, 4); c?x; assert(x == 4) }
