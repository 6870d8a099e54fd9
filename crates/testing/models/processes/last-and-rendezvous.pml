/*
 * After a rendezvous _last is the receiver.
 *
 * states: 12 transitions: 12
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1; x = _last }
active proctype Q() { c?_; x = _last + 5 }
