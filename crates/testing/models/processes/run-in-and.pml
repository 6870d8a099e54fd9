/*
 * run on the right of &&.
 *
 * refused
 */
byte x;
proctype Q(byte n) { x = n }
init { if :: x == 1 && run Q(3) -> x = 4 :: x == 0 -> x = 1 fi }
