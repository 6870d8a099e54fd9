/*
 * In the middle of a rendezvous the channel holds the message: the receiver's pattern and its provided clause see it.
 *
 * states: 5 transitions: 4
 * faults: invalid-end-state
 */
chan r = [0] of { byte };
chan s = [0] of { byte };
byte a;
active proctype A() { r!1; r!len(r); s!1; r!1 }
active proctype B() { r?eval(len(r) + len(s)); r?0; d_step { s?1; a = len(s) }; assert(a == 0) }
active proctype C() provided (empty(r)) { r?1 }
