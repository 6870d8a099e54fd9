/*
 * A rendezvous channel is always empty.
 *
 * states: 11 transitions: 13
 * faults: none
 */
chan c = [0] of { byte };
active proctype P() { assert(len(c) == 0); c!1; assert(empty(c)) }
active proctype Q() { assert(len(c) == 0); c?_; assert(len(c) == 0) }
