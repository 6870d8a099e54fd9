/*
 * A process of high priority that is blocked lets others move.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() priority 3 { x == 6; x = 7 }
active proctype Q() { x = 5; x = 6; x = 8 }
