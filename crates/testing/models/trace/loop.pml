/*
 * A loop in a trace assertion.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [2] of { byte };
trace { do :: c!1; c?1 od }
active proctype P() { c!1; c?1; c!1; c?1 }
