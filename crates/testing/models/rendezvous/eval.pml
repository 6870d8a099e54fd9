/*
 * eval() in a receive compares with a variable's value.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { byte, byte }; byte x, n = 2;
active proctype P() { if :: c!1,5 :: c!2,6 fi }
active proctype Q() { c?eval(n),x; assert(x == 6) }
