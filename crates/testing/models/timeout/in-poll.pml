/*
 * timeout in a poll.
 *
 * states: 9 transitions: 8
 * faults: assertion@8
 */
chan c = [2] of { byte }; byte x;
active proctype P() { c!1; c!0; if :: c??[eval(timeout)] -> x = x + 1 fi; if :: c?[eval(timeout)] -> x = x + 2 fi; assert(x == 0) }
