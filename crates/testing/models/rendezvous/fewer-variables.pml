/*
 * A receive with fewer arguments than the message has.
 *
 * states: any
 * faults: run-time-error@9
 */
chan c = [0] of { byte, byte }; byte x;
active proctype P() { c!1,2 }
active proctype Q() { c?x; assert(x == 1) }
