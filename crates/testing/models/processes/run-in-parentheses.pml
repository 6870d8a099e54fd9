/*
 * run in parentheses.
 *
 * states: 11 transitions: 11
 * faults: none
 */
byte x;
proctype Q() { x++ }
init { (run Q()) -> x = 5 }
