/*
 * run in a comparison.
 *
 * refused
 */
byte x;
proctype Q() { x++ }
init { (run Q() > 0) -> x = 5 }
