/*
 * select with the lower bound above the upper one.
 *
 * refused
 */
byte x;
active proctype P() { select (x : 4 .. 2); assert(x == 4) }
