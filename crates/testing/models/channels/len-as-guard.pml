/*
 * Channel conditions as guards.
 *
 * states: 22 transitions: 28
 * faults: invalid-end-state
 */
chan c = [2] of { byte };
active proctype P() { do :: nfull(c) -> c!1 :: full(c) -> break od }
active proctype Q() { nempty(c); c?_; len(c) == 2 }
