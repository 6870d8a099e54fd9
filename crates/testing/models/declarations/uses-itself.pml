/*
 * A variable in its own initialiser.
 *
 * refused
 */
byte x = x + 1;
active proctype P() { assert(x == 1) }
