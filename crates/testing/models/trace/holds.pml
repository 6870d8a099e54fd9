/*
 * Every event on the channels of a trace assertion must be the next one.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan c = [2] of { byte };
trace { c!1; c!2 }
active proctype P() { c!1; c!2 }
