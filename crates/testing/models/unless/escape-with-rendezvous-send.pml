/*
 * An escape that begins with a rendezvous send.
 *
 * states: 21 transitions: 27
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { { x = 1; x = 2; x = 3 } unless { c!4; x = 9 }; x = 10 }
active proctype Q() { y = 1; c?y }
