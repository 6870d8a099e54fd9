/*
 * A provided clause that forbids timeout lets a process accept what was sent after a timeout.
 *
 * states: 5 transitions: 4
 * faults: assertion@9
 */
chan c = [0] of { byte }; byte x;
active proctype A() provided (timeout) { c!timeout + 3 }
active proctype B() provided (!timeout) { c?x; assert(x == 3) }
