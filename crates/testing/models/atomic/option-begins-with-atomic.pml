/*
 * An option that begins with atomic: its first statement is the guard.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() { if :: atomic { x == 1 -> x = 2; x = 3 } :: atomic { x == 0; x = 4 }; x = 5 fi; x = 6 }
active proctype Q() { x = 1 }
