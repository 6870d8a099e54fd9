/*
 * Without a priority a process has priority 1.
 *
 * states: 13 transitions: 15
 * faults: none
 */
byte x;
active proctype P() { assert(get_priority(0) == 1); x = 1 }
active proctype Q() { x = 2 }
