/*
 * D_proctype is a proctype.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
D_proctype Q() { x = 1 }
init { run Q() }
