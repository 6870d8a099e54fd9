/*
 * Symbolic names in a trace assertion.
 *
 * states: 5 transitions: 4
 * faults: none
 */
mtype = { a, b };
chan c = [2] of { mtype, byte };
trace { c!a,_; c?a,_; c!b,3 }
active proctype P() { c!a,1; c?_,_; c!b,3 }
