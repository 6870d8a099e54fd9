/*
 * Sorted sends compare with sign.
 *
 * states: 9 transitions: 8
 * faults: none
 */
chan c = [3] of { short }; short x;
active proctype P() { c!!3; c!!-1; c!!0; c?x; assert(x == -1); c?x; assert(x == 0) }
