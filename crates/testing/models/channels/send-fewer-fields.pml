/*
 * A send must give every field.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [2] of { byte, byte }; byte x, y;
active proctype P() { c!1; c?x,y }
