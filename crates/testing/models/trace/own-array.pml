/*
 * An array of the assertion lies nowhere in the state. Reading one was an internal error.
 *
 * states: 6 transitions: 8
 * faults: none
 */
chan c = [2] of { byte }; byte x;
active proctype P() { do :: c!1; c?x :: c!0; c?x od }
trace { byte k[50]; do :: c!1; c?1 :: c!0; c?eval(k[40]) od }
