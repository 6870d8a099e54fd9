/*
 * An escape with a rendezvous send that nobody wants.
 *
 * states: 8 transitions: 8
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { { x = 2; x = 3 } unless { c!0; x = 1 } }
active proctype Q() { x = 7; end: c?1 }
