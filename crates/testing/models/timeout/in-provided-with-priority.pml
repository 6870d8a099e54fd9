/*
 * A process of higher priority that waits for timeout in its provided clause does not hinder the others before.
 *
 * states: 7 transitions: 6
 * faults: assertion@9
 */
byte x;
active proctype P() priority 2 { x = 1; x = 2 }
active proctype Q() priority 5 provided (timeout) { x = 3; assert(x == 0) }
