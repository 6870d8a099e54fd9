/*
 * A rendezvous that does not come about.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
chan c = [0] of { byte };
active proctype P() { c!1 }
active proctype Q() { end: c?2 }
trace { do :: c!1 od }
