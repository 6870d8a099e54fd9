/*
 * Events on other channels are not looked at.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [2] of { byte }; chan d = [1] of { byte };
trace { do :: c!1 od }
active proctype P() { d!2; c!1; d?2; c!1 }
