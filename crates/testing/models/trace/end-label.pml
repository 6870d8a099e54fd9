/*
 * An end label in a trace assertion.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan c = [2] of { byte };
trace { end: do :: c!1; c?1 od }
active proctype P() { c!1; c?1 }
