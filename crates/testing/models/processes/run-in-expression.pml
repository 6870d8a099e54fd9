/*
 * run inside an expression.
 *
 * refused
 */
byte x;
proctype Q() { x++ }
init { byte p; p = run Q() + 1; assert(p == 2); (run Q() > 0) -> x = 5 }
