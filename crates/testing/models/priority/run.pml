/*
 * run with a priority.
 *
 * states: 17 transitions: 17
 * faults: none
 */
byte x;
proctype Q(byte n) { x = n }
init { atomic { run Q(1) priority 3; run Q(2) priority 5; run Q(3) } ; x = 9 }
