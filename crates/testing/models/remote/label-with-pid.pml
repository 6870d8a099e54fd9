/*
 * p[i]@l asks about one process.
 *
 * states: 106 transitions: 201
 * faults: invalid-end-state
 */
byte x;
active [2] proctype P() { x = 1; here: x = 2; x = 3 }
active proctype Q() { P[1]@here && !P[0]@here; x = 9 }
