/*
 * A rendezvous that becomes possible by a timeout.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { timeout; c!1 }
active proctype Q() { c?x }
