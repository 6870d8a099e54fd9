/*
 * A proctype with a provided clause that is run.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
proctype Q() provided (x == 1) { x = 2 }
init { run Q(); x = 1; x == 2 }
