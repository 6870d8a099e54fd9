/*
 * p[i]:x reads a variable of one process.
 *
 * states: 17 transitions: 20
 * faults: none
 */
byte g;
active [2] proctype P() { byte v; v = _pid + 1 }
active proctype Q() { P[1]:v == 2; g = P[0]:v }
