/*
 * p:x reads a variable of another process.
 *
 * states: 17 transitions: 18
 * faults: invalid-end-state
 */
byte g;
active proctype P() { byte v; v = 1; v = 2; v = 3 }
active proctype Q() { P:v == 2; g = P:v; assert(g == 2 || g == 3) }
