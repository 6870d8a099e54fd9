/*
 * Every receiver that is ready is a transition of its own.
 *
 * states: 8 transitions: 7
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!7 }
active [3] proctype Q() { byte y; c?y; x = _pid }
