/*
 * The end of a process needs its provided clause, too.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
active proctype P() provided (x == 0) { x = 1 }
