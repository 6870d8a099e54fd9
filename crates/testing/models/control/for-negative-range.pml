/*
 * for over a range with negative numbers.
 *
 * states: 14 transitions: 13
 * faults: none
 */
short i; byte s;
active proctype P() { for (i : -1 .. 1) { s++ } assert(s == 3 && i == 2) }
