/*
 * What is sent is evaluated in the state of the sender.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [0] of { byte }; byte x = 3;
active proctype P() { byte y = 2; c!x * y + 1 }
active proctype Q() { byte y; c?y; assert(y == 7) }
