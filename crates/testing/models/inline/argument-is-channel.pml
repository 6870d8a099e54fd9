/*
 * A channel as an argument.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [1] of { byte }; byte x;
inline put(ch, v) { ch!v; ch?x }
active proctype P() { put(c, 3); assert(x == 3) }
