/*
 * run as a statement.
 *
 * states: 38 transitions: 52
 * faults: none
 */
byte x;
proctype Q(byte n) { x = n }
init { run Q(2); run Q(3); x = 4 }
