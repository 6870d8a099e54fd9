/*
 * If only sends on a channel are named, its receives are not looked at.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [2] of { byte };
trace { do :: c!1 od }
active proctype P() { c!1; c?1; c!1 }
