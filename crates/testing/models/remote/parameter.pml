/*
 * Parameters can be read, too.
 *
 * states: 29 transitions: 34
 * faults: assertion@9
 */
byte g;
proctype P(byte n) { n++; n++ }
init { run P(3); g = P:n; assert(g >= 3) }
