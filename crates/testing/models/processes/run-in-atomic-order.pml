/*
 * Processes that are created in atomic start together.
 *
 * states: 56 transitions: 75
 * faults: invalid-end-state
 */
byte x;
proctype Q(byte n) { x = n; x == n }
init { atomic { run Q(1); run Q(2) }; x = 9 }
