/*
 * A late declaration in a loop is executed in every round.
 *
 * states: 18 transitions: 17
 * faults: none
 */
byte g;
active proctype P() { do :: g < 3 -> byte x = 1; x++; assert(x == 2); g++ :: g == 3 -> break od }
