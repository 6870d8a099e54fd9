/*
 * len, empty, nempty, full and nfull.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [2] of { byte };
active proctype P() { assert(len(c) == 0 && empty(c) && nfull(c)); c!1; assert(len(c) == 1 && nempty(c) && nfull(c)); c!2; assert(full(c) && nempty(c)) }
