/*
 * Fewer arguments than fields: a variable, then a constant.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [1] of { byte, byte, byte }; byte x;
active proctype P() { c!1,2,3; c?x,2; assert(x == 1) }
