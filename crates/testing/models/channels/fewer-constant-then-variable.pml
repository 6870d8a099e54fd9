/*
 * Fewer arguments than fields: a constant, then a variable.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [1] of { byte, byte, byte }; byte x;
active proctype P() { c!1,2,3; c?1,x; assert(x == 2) }
