/*
 * The sender of a rendezvous sees timeout, the receiver does not, nor what it does next.
 *
 * states: 8 transitions: 7
 * faults: assertion@8
 */
chan c = [0] of { bool, bool }; byte x; byte a[2];
active proctype A() provided (timeout) { c!timeout,0; x = 9; c!timeout,1; assert(a[0] != 3) }
active proctype B() { bool b; c?1,eval(timeout); x == 9; atomic { c?b,a[timeout]; a[timeout] = 3 } }
