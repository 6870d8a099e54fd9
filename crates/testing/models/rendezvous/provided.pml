/*
 * A process whose provided clause is false does not take part.
 *
 * states: 19 transitions: 22
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { c!1; x = 1 }
active proctype Q() provided (y == 1) { c?_; x = 2 }
active proctype R() { y = 1; y = 0 }
