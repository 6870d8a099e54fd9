/*
 * Processes end in the reverse order of their creation.
 *
 * states: 18 transitions: 20
 * faults: none
 */
byte x;
proctype Q(byte n) { x = n }
init { run Q(1); run Q(2) }
