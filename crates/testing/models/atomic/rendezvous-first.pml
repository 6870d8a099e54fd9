/*
 * A rendezvous send as the first statement of atomic.
 *
 * states: 48 transitions: 76
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { atomic { c!1; x = 2; x = 3 }; x = 4 }
active proctype Q() { c?_; x = 7 }
active proctype R() { x = 9 }
