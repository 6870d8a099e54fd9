/*
 * A trace assertion that is not at its end when the system stops.
 *
 * states: 3 transitions: 2
 * faults: none
 */
chan c = [2] of { byte };
trace { c!1; c!2 }
active proctype P() { c!1 }
