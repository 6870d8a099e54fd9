/*
 * With priorities only the processes of the highest priority that can move do.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() priority 2 { x = 1; x = 2 }
active proctype Q() { x = 5; x = 6 }
