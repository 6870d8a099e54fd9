/*
 * A receive with more arguments than fields.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [2] of { byte }; byte x, y;
active proctype P() { c!1; c?x,y }
