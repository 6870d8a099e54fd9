/*
 * Polling a rendezvous channel.
 *
 * states: any
 * faults: run-time-error@9
 */
chan c = [0] of { byte };
active proctype P() { c!1 }
active proctype Q() { c?[1]; c?_ }
