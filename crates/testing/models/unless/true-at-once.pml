/*
 * An escape that is always executable is taken at once.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte x;
active proctype P() { { x = 1; x = 2 } unless { true; x = 9 }; assert(x == 9) }
