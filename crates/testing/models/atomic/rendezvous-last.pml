/*
 * A rendezvous send as the last statement of atomic, to a receiver in atomic.
 *
 * states: 34 transitions: 49
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; c!1 }; x = 4 }
active proctype Q() { atomic { c?_; x = 7 ; x = 8 }; x = 5 }
active proctype R() { x = 9 }
