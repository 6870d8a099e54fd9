/*
 * Several receivers of one channel.
 *
 * states: 38 transitions: 65
 * faults: none
 */
chan c = [2] of { byte }; byte s;
active [2] proctype R() { byte x; c?x; s = s + x }
active proctype P() { c!1; c!2 }
