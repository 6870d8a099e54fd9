/*
 * A negative constant in a receive.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [1] of { short };
active proctype P() { c!-1; c?-1; assert(empty(c)) }
