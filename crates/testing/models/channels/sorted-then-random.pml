/*
 * Sorted send and random receive together.
 *
 * states: 25 transitions: 32
 * faults: assertion@8, invalid-end-state
 */
chan c = [3] of { byte, byte }; byte x;
active proctype P() { c!!2,1; c!!1,2; c!!3,3; c??eval(2),x; c?x,_; assert(x == 1) }
active proctype Q() { c!!0,7 }
