/*
 * A choice between a rendezvous send and other statements.
 *
 * states: 14 transitions: 15
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { if :: c!1 -> x = 1 :: x == 5 -> x = 6 :: c!2; x = 7 fi }
active proctype Q() { x = 5; c?x }
