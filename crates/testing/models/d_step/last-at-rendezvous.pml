/*
 * _last inside a d_step that begins with the receive of a rendezvous is the sender.
 *
 * states: 7 transitions: 7
 * faults: assertion@8
 */
chan c = [0] of { byte }; byte y, z;
active proctype P() { d_step { c?eval(_last + 1); y = _last; z = y }; assert(y == 0) }
active proctype B() { c!2 }
