/*
 * A d_step that begins with the receive of a rendezvous: timeout is false to its end.
 *
 * states: 5 transitions: 4
 * faults: assertion@9
 */
chan c = [0] of { bool }; byte x = 7;
active proctype A() provided (timeout) { c!timeout - 1 }
active proctype B() { d_step { c?eval(timeout); x = timeout }; assert(x != 0) }
