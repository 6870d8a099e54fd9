/*
 * A trace assertion about one channel, rendezvous on another.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [0] of { byte }; chan d = [1] of { byte };
active proctype P() { c!1; d!1; c!1 }
active proctype Q() { c?_; c?_ }
trace { do :: d!1 od }
