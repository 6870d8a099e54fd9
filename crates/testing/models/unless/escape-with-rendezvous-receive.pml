/*
 * An escape that begins with a rendezvous receive.
 *
 * states: 20 transitions: 27
 * faults: none
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { { x = 1; x = 2; x == 7 } unless { c?y; x = 9 }; x = 10 }
active proctype Q() { c!4; x = 7 }
