/*
 * _pid is a process's own number.
 *
 * states: 40 transitions: 81
 * faults: none
 */
byte x[3];
active [3] proctype P() { x[_pid]++; assert(x[_pid] == 1) }
