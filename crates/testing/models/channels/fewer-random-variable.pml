/*
 * Fewer arguments than fields in a random receive into a variable.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [2] of { byte, byte }; byte x;
active proctype P() { c!1,2; c!3,4; c??x; x = 1 }
