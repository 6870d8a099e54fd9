/*
 * A rendezvous send inside a d_step is an error.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [0] of { byte }; byte x;
active proctype P() { d_step { x = 1; c!5; x = 2 } }
active proctype Q() { c?_ }
