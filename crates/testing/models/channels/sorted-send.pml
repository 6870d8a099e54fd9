/*
 * A sorted send puts the message before the first one that is greater.
 *
 * states: 14 transitions: 13
 * faults: none
 */
chan c = [4] of { byte }; byte x;
active proctype P() { c!!3; c!!1; c!!2; c!!1; c?x; assert(x == 1); c?x; assert(x == 1); c?x; assert(x == 2); c?x; assert(x == 3) }
