/*
 * The main sequence waits for a rendezvous.
 *
 * states: 41 transitions: 73
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { { c?x; x = 1 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { c!4; skip }
active proctype R() { y = 1 }
