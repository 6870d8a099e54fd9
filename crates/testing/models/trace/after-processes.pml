/*
 * A trace assertion at the end of the text.
 *
 * states: 5 transitions: 4
 * faults: trace
 */
chan c = [1] of { byte };
active proctype P() { c!1; c?1; c!2 }
trace { do :: c!1; c?1 od }
