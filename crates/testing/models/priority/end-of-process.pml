/*
 * The end of a process of high priority.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
proctype Q() { x = 1 }
init { run Q() priority 7; x = 2; x = 3 }
