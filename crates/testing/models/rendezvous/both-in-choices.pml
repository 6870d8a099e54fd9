/*
 * Sender and receiver both choose.
 *
 * states: 5 transitions: 6
 * faults: none
 */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype P() { do :: c!1 :: d!2 -> break od }
active proctype Q() { do :: c?x :: d?x -> break od }
