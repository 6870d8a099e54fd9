/*
 * A poll with eval.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [2] of { byte }; byte x = 3;
active proctype P() { c!1; if :: c?[eval(x)] -> x = 4 :: else -> x = 5 fi; assert(x == 5) }
