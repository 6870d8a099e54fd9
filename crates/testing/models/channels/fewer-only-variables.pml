/*
 * Fewer arguments than fields, one variable.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [1] of { byte, byte }; byte x;
active proctype P() { c!1,2; c?x; assert(x == 1) }
