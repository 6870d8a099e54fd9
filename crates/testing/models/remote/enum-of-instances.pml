/*
 * A remote reference with an expression as index.
 *
 * states: 60 transitions: 97
 * faults: invalid-end-state
 */
byte i, g;
active [2] proctype P() { byte v = 3; v = v + _pid; here: v = 9 }
active proctype Q() { i = 1; P[i]@here; g = P[i]:v + P[1 - i]:v }
