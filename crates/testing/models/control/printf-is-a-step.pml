/*
 * printf and printm are steps that are always executable.
 *
 * states: 13 transitions: 18
 * faults: none
 */
mtype = { a, b }; mtype m = b;
active proctype P() { printf("%d %e\n", 1, m); printm(m); printf("no newline") }
active proctype Q() { skip }
