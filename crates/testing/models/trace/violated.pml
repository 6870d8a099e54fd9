/*
 * An event that does not match violates the trace assertion.
 *
 * states: 4 transitions: 3
 * faults: trace
 */
chan c = [2] of { byte };
trace { c!1; c!2 }
active proctype P() { c!2; c!1 }
