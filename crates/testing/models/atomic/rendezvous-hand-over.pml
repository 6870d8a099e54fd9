/*
 * A rendezvous between two atomic sequences hands control over.
 *
 * states: 19 transitions: 24
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype Q() { atomic { c?_; x = 7; x = 8 } }
active proctype R() { x = 9 }
