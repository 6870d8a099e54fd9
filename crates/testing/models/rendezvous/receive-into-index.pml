/*
 * The index of a receiving variable may depend on an earlier field.
 *
 * states: 6 transitions: 5
 * faults: assertion@9
 */
chan c = [0] of { byte, byte }; byte i, a[3];
active proctype P() { c!2,7 }
active proctype Q() { c?i,a[i]; assert(a[2] == 7); assert(a[0] == 7) }
