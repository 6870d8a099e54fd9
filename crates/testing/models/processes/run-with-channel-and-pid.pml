/*
 * Parameters of type chan, pid and mtype.
 *
 * states: 10 transitions: 11
 * faults: none
 */
mtype = { a, b }; byte x;
proctype Q(chan c; pid p; mtype m) { assert(p == 0 && m == a); c!m }
init { chan c = [1] of { mtype }; run Q(c, _pid, a); c?b unless { c?a; x = 1 } }
