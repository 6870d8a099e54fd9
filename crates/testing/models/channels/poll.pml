/*
 * A poll is a condition without effect.
 *
 * states: 12 transitions: 11
 * faults: none
 */
chan c = [3] of { byte, byte }; byte x;
active proctype P() { assert(!c?[1,2]); c!1,2; c!3,4; assert(c?[1,2]); assert(!c?[3,4]); assert(c??[3,4]); assert(!c??[3,5]); assert(c?[x,_] == 1); assert(len(c) == 2); assert(x == 0) }
