/*
 * Events on a rendezvous channel.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { byte };
active proctype P() { c!1; c!1 }
active proctype Q() { c?_; c?_ }
trace { do :: c!1; c?1 od }
