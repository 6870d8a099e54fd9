/*
 * eval(_pid) in a receive.
 *
 * states: 18 transitions: 23
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active [2] proctype Q() { c?eval(_pid); x = _pid }
active proctype P() { c!1; c!0 }
