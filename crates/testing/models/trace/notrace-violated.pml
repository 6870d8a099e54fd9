/*
 * notrace is violated when all its events happened.
 *
 * states: 4 transitions: 3
 * faults: trace
 */
chan c = [2] of { byte };
notrace { c!1; c!2 }
active proctype P() { c!1; c!2 }
