/*
 * A main sequence with a choice with a rendezvous receive, and an escape.
 *
 * states: 28 transitions: 42
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { { if :: c?_ -> x = 1 :: x == 5 fi } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { c!1 }
active proctype R() { y = 1 }
