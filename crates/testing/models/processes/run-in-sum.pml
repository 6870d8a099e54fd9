/*
 * run in a sum.
 *
 * states: 8 transitions: 9
 * faults: none
 */
byte x;
proctype Q() { x++ }
init { byte p; p = run Q() + 1; assert(p == 2) }
