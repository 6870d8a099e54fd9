/*
 * An escape with a rendezvous send, and else in the main sequence.
 *
 * states: 11 transitions: 12
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { { if :: x == 9 -> x = 8 :: else -> x = 2 fi } unless { c!0; x = 1 } }
active proctype Q() { x = 7; c?_ }
