/*
 * A sorted send compares the value as it was computed, before it is cut to the type of the field.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [2] of { byte }; byte a;
active proctype P() { c!2; c!!-1; c?a; assert(a == 255) }
