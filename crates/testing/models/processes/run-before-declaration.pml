/*
 * A proctype may be used before it is declared.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
init { run Q(2) }
proctype Q(byte n) { x = n }
