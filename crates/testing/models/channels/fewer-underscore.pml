/*
 * Fewer arguments than fields: underscores.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [1] of { byte, byte, byte }; byte x;
active proctype P() { c!1,2,3; c?_,_; x = 1 }
