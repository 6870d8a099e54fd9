/*
 * notrace: the events must not happen in this way.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan c = [2] of { byte };
notrace { c!1; c!2 }
active proctype P() { c!2; c!1 }
