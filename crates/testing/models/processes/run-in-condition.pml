/*
 * run in a condition of a choice.
 *
 * refused
 */
byte x;
proctype Q() { x++ }
init { if :: run Q() == 1 -> x = 5 :: x == 7 fi }
