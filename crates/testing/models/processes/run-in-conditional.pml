/*
 * run in a conditional expression.
 *
 * states: 11 transitions: 11
 * faults: none
 */
byte x, p;
proctype Q() { x++ }
init { p = (x == 0 -> run Q() : 0); x = 5 }
