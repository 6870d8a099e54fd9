/*
 * Main sequence and escape both wait for a rendezvous on the same channel.
 *
 * states: 8 transitions: 9
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { { c?4; x = 1 } unless { c?x; x = 9 }; x = 10 }
active proctype Q() { c!4 }
