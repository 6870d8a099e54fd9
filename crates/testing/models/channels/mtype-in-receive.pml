/*
 * A symbolic name in a receive is a constant.
 *
 * states: 6 transitions: 5
 * faults: none
 */
mtype = { a, b };
chan c = [2] of { mtype }; byte x;
active proctype P() { c!a; if :: c?b -> x = 2 :: c?a -> x = 1 fi; assert(x == 1) }
