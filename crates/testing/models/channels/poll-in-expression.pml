/*
 * Polls in larger expressions.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [2] of { byte }; byte x = 3;
active proctype P() { c!1; x == 3 && c?[1]; !(c?[2]) || false; x = c?[1] + c??[1]; assert(x == 2) }
