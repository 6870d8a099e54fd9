/*
 * A rendezvous that does not match.
 *
 * states: 5 transitions: 4
 * faults: trace
 */
chan c = [0] of { byte };
active proctype P() { c!1; c!2 }
active proctype Q() { c?_; c?_ }
trace { do :: c!1 od }
