/*
 * Mutual exclusion by labels.
 *
 * states: 38 transitions: 68
 * faults: none
 */
byte turn;
active [2] proctype P() { if :: turn == _pid -> cs: skip; turn = 1 - _pid :: turn == 1 - _pid -> turn == _pid; turn = 1 - turn fi }
active proctype M() { assert(!(P[0]@cs && P[1]@cs)) }
