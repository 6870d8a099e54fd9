/*
 * Rendezvous over the elements of an array of channels.
 *
 * states: 11 transitions: 10
 * faults: none
 */
chan c[2] = [0] of { byte }; byte x;
active proctype P() { byte i; if :: i = 0 :: i = 1 fi; c[i]!3 }
active proctype Q() { if :: c[0]?x; x = 1 :: c[1]?x; x = 2 fi }
