/*
 * run negated.
 *
 * refused
 */
byte x, p;
proctype Q() { x++ }
init { if :: !run Q() -> x = 3 :: x == 1 -> x = 4 fi }
