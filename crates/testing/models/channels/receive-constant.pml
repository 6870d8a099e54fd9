/*
 * A receive with a constant is executable only if the oldest message matches.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [3] of { byte, byte }; byte x;
active proctype P() { c!1,2; c!3,4; if :: c?3,x :: c?1,x :: c?x,4 fi; assert(x == 2) }
