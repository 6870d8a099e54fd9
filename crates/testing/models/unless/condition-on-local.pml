/*
 * The escape's condition uses what the main sequence sets.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() { byte l; { l++; x = l; l++; x = l; l++; x = l } unless { l == 2; x = 9 }; assert(l == 2) }
