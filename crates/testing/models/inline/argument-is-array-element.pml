/*
 * An array element as an argument is evaluated where it is used.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte a[3], i;
inline f(e) { i = 1; e = 7 }
active proctype P() { f(a[i]); assert(a[1] == 7) }
