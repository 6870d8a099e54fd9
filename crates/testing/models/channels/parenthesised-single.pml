/*
 * A send of one value in parentheses.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [2] of { byte }; byte x;
active proctype P() { c!(3); c?x; assert(x == 3) }
