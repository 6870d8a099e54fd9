/*
 * The last step of a process in atomic, and its end.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; x = 2 } }
active proctype Q() { atomic { x = 3; x = 4 } }
