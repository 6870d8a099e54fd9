/*
 * A loop with a rendezvous send and an else.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { do :: c!1 -> break :: else -> x = 1 - x od }
active proctype Q() { c?_ }
