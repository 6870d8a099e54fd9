/*
 * A process in the end of a chain.
 *
 * states: 70 transitions: 120
 * faults: none
 */
byte x;
proctype Q(byte n) { if :: n > 0 -> run Q(n - 1); x = n :: else fi }
init { run Q(2); x = 7 }
