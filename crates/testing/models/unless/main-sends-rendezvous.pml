/*
 * The main sequence offers a rendezvous.
 *
 * states: 41 transitions: 71
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { { c!2; x = 1 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { c?_; skip }
active proctype R() { y = 1 }
