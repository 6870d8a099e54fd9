/*
 * Between two atomic sequences others may move.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; x = 2 }; atomic { x = 3; x = 4 } }
active proctype Q() { x = 9 }
