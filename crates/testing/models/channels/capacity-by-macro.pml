/*
 * The capacity is a constant expression.
 *
 * states: 5 transitions: 4
 * faults: none
 */
#define N 2
chan c = [N] of { byte };
active proctype P() { c!1; c!2; assert(full(c)) }
