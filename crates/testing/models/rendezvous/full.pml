/*
 * full and nfull of a rendezvous channel.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { byte };
active proctype P() { c!1 }
active proctype Q() { if :: full(c) -> assert(false) :: nfull(c) fi; c?_ }
