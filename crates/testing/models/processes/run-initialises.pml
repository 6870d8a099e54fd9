/*
 * run in the initialiser of a variable.
 *
 * refused
 */
byte x;
proctype Q(byte n) { x = n }
init { pid p = run Q(3); assert(p == 1) }
