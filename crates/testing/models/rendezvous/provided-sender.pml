/*
 * A sender whose provided clause is false does not take part.
 *
 * states: 22 transitions: 25
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() provided (y == 1) { c!1; x = 1 }
active proctype Q() { c?_; x = 2 }
active proctype R() { y = 1; y = 0 }
