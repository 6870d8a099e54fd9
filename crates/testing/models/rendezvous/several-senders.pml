/*
 * Several senders.
 *
 * states: 15 transitions: 14
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active [2] proctype P() { c!_pid }
active proctype Q() { byte y; c?y; x = y; c?y; x = y }
