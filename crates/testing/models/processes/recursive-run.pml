/*
 * A process that creates one of its own kind.
 *
 * states: 15 transitions: 14
 * faults: none
 */
byte x;
proctype Q(byte n) { if :: n > 0 -> run Q(n - 1) :: else -> x = 1 fi }
init { run Q(3) }
