/*
 * Receiving into array elements; an index may use a field received before.
 *
 * states: 6 transitions: 5
 * faults: assertion@8
 */
chan c = [1] of { byte, byte }; byte a[3], i;
active proctype P() { c!2,9; c?i,a[i]; assert(a[2] == 9); assert(a[0] == 9) }
