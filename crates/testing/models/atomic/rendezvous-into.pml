/*
 * A receiver inside atomic keeps control after the rendezvous.
 *
 * states: 26 transitions: 36
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1; x = 1; x = 2 }
active proctype Q() { atomic { c?_; x = 7; x = 8 } }
active proctype R() { x = 9 }
