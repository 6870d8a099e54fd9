/*
 * Sorted sends compare field by field.
 *
 * states: 12 transitions: 11
 * faults: none
 */
chan c = [4] of { byte, byte }; byte x, y;
active proctype P() { c!!2,1; c!!1,9; c!!2,0; c!!1,3; c?x,y; assert(x == 1 && y == 3); c?x,y; assert(x == 1 && y == 9); c?x,y; assert(x == 2 && y == 0) }
