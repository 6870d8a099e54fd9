/*
 * After a rendezvous send inside atomic the receiver moves; the sender has lost control.
 *
 * states: 47 transitions: 75
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype Q() { c?_; x = 7; x = 8 }
active proctype R() { x = 9 }
