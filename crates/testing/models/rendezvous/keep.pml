/*
 * A receive that leaves the message in a rendezvous channel.
 *
 * states: any
 * faults: run-time-error@9
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1 }
active proctype Q() { c?<x> }
