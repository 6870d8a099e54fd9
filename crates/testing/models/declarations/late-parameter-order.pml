/*
 * Late declarations see earlier late ones.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte g;
active proctype P() { g = 1; byte x = g; byte y = x + 1; x = 9; byte z = y + x; assert(z == 11) }
