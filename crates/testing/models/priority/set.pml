/*
 * set_priority changes the priority of a process.
 *
 * states: 42 transitions: 53
 * faults: none
 */
byte x;
active proctype P() { x = 1; set_priority(_pid, 5); x = 2; x = 3; set_priority(0, 1); x = 4 }
active proctype Q() { x = 7; x = 8 }
