/*
 * Rendezvous in a choice inside atomic.
 *
 * states: 39 transitions: 55
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; if :: c!1 -> x = 2 :: x == 1 -> x = 3 fi; x = 4 } }
active proctype Q() { c?_; x = 7 }
active proctype R() { x = 9 }
