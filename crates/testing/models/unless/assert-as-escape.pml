/*
 * An escape that begins with an assignment is always executable.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { { x = 1; x = 2 } unless { x = 9 }; assert(x == 9) }
