/*
 * Sends and receives that exclude each other, until one no longer does.
 *
 * states: 6 transitions: 8
 * faults: run-time-error@8
 */
chan c = [2] of { byte }; byte x;
active D_proctype P() { do :: c!1 :: c?x od }
