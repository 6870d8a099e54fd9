/*
 * An array of channels with an index that is an expression.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c[3] = [1] of { byte }; byte x;
active proctype P() { byte i = 1; c[i + 1]!4; c[2]?x; c[x - 4]!1; assert(len(c[0]) == 1) }
