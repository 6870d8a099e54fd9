/*
 * Conditions about elements of an array of channels.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c[2] = [1] of { byte }; byte i;
active proctype P() { c[1]!3; assert(len(c[i]) == 0 && nempty(c[i + 1]) && c[1]?[3]); full(c[1]) }
