/*
 * Expressions in a send, with conditional and arithmetic.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [1] of { byte, byte }; byte x = 2, y;
active proctype P() { c!x + 1,(x == 2 -> 7 : 8); c?x,y; assert(x == 3 && y == 7) }
