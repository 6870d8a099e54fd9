/*
 * A rendezvous is one transition of two processes.
 *
 * states: 11 transitions: 13
 * faults: none
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { x = 1; c!7; x = 2 }
active proctype Q() { y = 1; c?y; assert(y == 7) }
