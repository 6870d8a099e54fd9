/*
 * Atomic around one statement.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1 }; x = 2; atomic { skip } }
active proctype Q() { x = 9 }
