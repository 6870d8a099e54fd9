/*
 * A process of high priority that waits with else always moves.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() priority 3 { do :: x == 1 -> break :: else -> x = 1 od }
active proctype Q() { x = 2 }
