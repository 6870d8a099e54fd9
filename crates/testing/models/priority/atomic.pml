/*
 * A process of low priority inside atomic.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() priority 3 { x == 1; x = 5 }
active proctype Q() { atomic { x = 1; x = 2; x = 1 }; x = 3 }
