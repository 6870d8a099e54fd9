/*
 * Processes have their own variables, whatever their names.
 *
 * states: 13 transitions: 18
 * faults: none
 */
active proctype P() { byte x = 1; x++; assert(x == 2) }
active proctype Q() { byte x = 5; x++; assert(x == 6) }
