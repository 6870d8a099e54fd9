/*
 * A variable of the assertion is 0 where nothing else is said.
 *
 * states: 6 transitions: 8
 * faults: none
 */
chan c = [2] of { byte }; byte x;
active proctype P() { do :: c!1; c?x :: c!0; c?x od }
trace { byte k; do :: c!1; c?1 :: c!0; c?eval(k) od }
